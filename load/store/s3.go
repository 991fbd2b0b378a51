//go:build s3

package store

import _ "gocloud.dev/blob/s3blob" // s3://
