package create

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"maps"
	"mime"
	"mime/multipart"
	"net/textproto"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/gateassay/gateassay/gateway/deployment"
)

// documentsPath puts the representative's ID into the path of the upload.
func documentsPath(template, id string) string {
	return strings.ReplaceAll(template, "{id}", url.PathEscape(id))
}

// form writes a multipart body with some of the documents and the deployment's further form fields. Where one of these
// names a kind of identity document, it names the given one.
func form(d *deployment.Documents, names []string, kind string) (body []byte, contentType string) {
	var out bytes.Buffer
	w := multipart.NewWriter(&out)
	for _, field := range slices.Sorted(maps.Keys(d.Form)) {
		_ = w.WriteField(field, inKind(d.Form[field], kind)) // a buffer takes everything
	}
	for _, name := range names {
		part := cmp.Or(d.Parts[name], name)
		file, media, content := document(name)
		if name == identity && kind != "" {
			file = strings.ToLower(kind) + ".jpg"
		}
		p, _ := w.CreatePart(textproto.MIMEHeader{
			"Content-Disposition": {fmt.Sprintf(`form-data; name=%q; filename=%q`, part, file)},
			"Content-Type":        {media},
		})
		_, _ = p.Write(content)
	}
	_ = w.Close()
	return out.Bytes(), w.FormDataContentType()
}

// The documents that are uploaded: two pictures and a page, small and plain.
//
//go:embed documents
var files embed.FS

// document is a small file of a kind that such a document usually has.
func document(name string) (file, media string, content []byte) {
	file = name + map[string]string{"selfie": ".png", identity: ".jpg", "qualification_declaration": ".pdf"}[name]
	content, err := files.ReadFile("documents/" + file)
	if err != nil {
		panic("a document is missing from the program: " + err.Error())
	}
	return file, mime.TypeByExtension(path.Ext(file)), content
}
