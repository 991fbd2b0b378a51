package proofpage

const pageHead = `# Proof: what the suites catch

Each fault of the reference gateway (§gateassay serve --list-faults§) breaks one rule at the one place where it is kept.
§gateassay prove§ runs all suites against every fault. This page is its result, made by §make generate§.

**%s.**

- A fault is *killed* when its own rule fails. A sweeping fault breaks many rules at once, such as all about rejections:
  it is killed when every one of them fails. In the average they count as one.
- It is *precise* when nothing unrelated fails. Rules are related when they are of one operation and topic, the first two
  parts of their IDs; all rules of the operation §replay§ are, since they speak of one memory.
- It is *alone* when its own rule fails and no other. Some faults cannot be: a gateway that ignores the end of a range
  violates each rule that depends on an end.

§make proof§ runs the whole matrix, and fails when a fault survives, when a must or should rule has no fault, when a fault
fails 1.5 rules or more on average, when fewer than 90 %% are precise, and when this page lacks a fault. In the same run no
rule may fail on the healthy gateway over 25 seeds of its data, with checks in random order, nor on any variant that
conforms (§gateassay serve --list-variants§). §make test§ takes a sample of it, another each day: one fault for each rule,
most of them against the rules of their topic only, and some of the variants and seeds.

## As JSON

§gateassay prove --format json§ prints one object:

| member | |
|---|---|
| §schema§ | §%s§ |
| §partial§ | true where prove was interrupted: it holds the findings until then |
| §score.faults§, §.killed§, §.precise§, §.exact§ | numbers of faults; exact is what is called alone here |
| §score.failed_mean§ | rules that failed for a fault, on average; those of a sweeping fault count as one |
| §score.rules_unproven§ | must and should rules that no fault was seen to break |
| §score.rules_with_exact§ | number of rules that some fault breaks alone |
| §faults[].fault§, §.rule§, §.statement§ | the fault, the rule that it breaks, what the gateway then does |
| §faults[].partner§ | what has to stand beside a request that meets the fault; absent: nothing |
| §faults[].killed§ | whether that rule failed |
| §faults[].failed§ | every rule that failed, in the order of the catalogue |
| §faults[].unrelated§ | those of them that are not related |
| §faults[].reason§ | where it was not killed: why the rule did not fail |

With §--share§ the object has §schema§ §%s§, §share§, §runs§, and for each fault §caught§ (in how many
runs its rule failed), §first§ (whether the first run caught it) and §attempts§ (on how many of how many answers the rule
failed, for each run that caught it). §families§ sums them up by the first two parts of the rule's ID.

## The matrix

*Also fails* lists every other rule that failed, the unrelated ones in bold.

Faults that need something beside them are in the next table.

| fault | the gateway … | rule | killed | also fails |
|---|---|---|---|---|
`

const pairsHead = `
## Pairs

These faults break a rule only where something else stands beside: an optional header, the other method of
authentication, another qualification, another field of an export. Each cell is such a fault: *yes* where one run catches
it and the failure says what it takes, **no** where it survives, – where there is none, since nothing would show. A run
does not send each rule beside each partner: its seed spreads the partners over two rows, and what is sent anyway carries
one of them, or none.

`
