module imscope/sim/rivals

go 1.26.8

require (
	github.com/fschuetz04/simgo v0.7.0
	imscope v0.0.0
)

replace imscope => ../..
