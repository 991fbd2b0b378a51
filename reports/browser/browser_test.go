package browser_test

import _ "github.com/chromedp/chromedp"
