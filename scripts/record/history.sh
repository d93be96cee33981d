# A small repository of three people and an agent, the same every time, for the recorded sessions.
commit() { # who, when, message; what changed is staged
	git add .
	GIT_AUTHOR_NAME=$1 GIT_AUTHOR_EMAIL=$1@example.com GIT_AUTHOR_DATE="$2" GIT_COMMITTER_NAME=$1 GIT_COMMITTER_EMAIL=$1@example.com GIT_COMMITTER_DATE="$2" \
		git commit -q -m "$3"
}
grow() { # file, lines
	mkdir -p "$(dirname "$1")"
	for i in $(seq "$2"); do echo "line $i of ${3:-$1}" >>"$1"; done
}
grow api/price.go 120; grow api/price_test.go 60; commit ada 2026-03-02T09:10:00Z "feat: prices by zone"
grow api/order.go 80; commit ada 2026-03-02T10:05:00Z "feat: orders"
grow web/cart.ts 140; grow web/cart.test.ts 50; commit ben 2026-03-02T14:30:00Z "feat: a cart"
grow api/price.go 12 rounding; grow api/price_test.go 30 rounding; commit ada 2026-03-03T09:20:00Z "fix: a started kilogram is a whole one"
grow api/stock.go 90; commit chloe "2026-03-03T16:00:00Z" "feat: stock

Co-Authored-By: Claude <noreply@anthropic.com>"
grow api/stock_test.go 70; commit chloe 2026-03-04T11:00:00Z "test: stock

Co-Authored-By: Claude <noreply@anthropic.com>"
grow web/cart.ts 25 totals; commit ben 2026-03-04T15:10:00Z "fix: totals with a discount"
git tag v0.1.0
grow api/order.go 40 refunds; grow api/order_test.go 35; commit ada 2026-03-05T10:40:00Z "feat: refunds"
grow docs/prices.md 20; commit ben 2026-03-06T09:00:00Z "docs: how prices are made"
