//go:build azblob

package store

import _ "gocloud.dev/blob/azureblob" // azblob://
