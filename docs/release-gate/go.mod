module example.com/release-gate

go 1.26.0

require github.com/gateassay/gateassay v0.0.0

replace github.com/gateassay/gateassay => ../..
