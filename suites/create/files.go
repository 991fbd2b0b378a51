package create

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"maps"
	"mime/multipart"
	"net/textproto"
	"net/url"
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
			"Content-Disposition": {fmt.Sprintf(`form-data; name=%q; filename=%q`, part, file)}, "Content-Type": {media},
		})
		_, _ = p.Write(content)
	}
	_ = w.Close()
	return out.Bytes(), w.FormDataContentType()
}

// document is a small file of a kind that such a document usually has.
func document(name string) (file, media string, content []byte) {
	switch name {
	case "selfie":
		return "selfie.png", "image/png", picture(func(out *bytes.Buffer, img image.Image) error { return png.Encode(out, img) })
	case identity:
		return identity + ".jpg", "image/jpeg", picture(func(out *bytes.Buffer, img image.Image) error {
			return jpeg.Encode(out, img, nil)
		})
	}
	return name + ".pdf", "application/pdf", page("Declaration of powers, made by a test")
}

// picture is a gradient of 64 by 64 points.
func picture(encode func(*bytes.Buffer, image.Image) error) []byte {
	const side = 64
	img := image.NewRGBA(image.Rect(0, 0, side, side))
	for x := range side {
		for y := range side {
			img.Set(x, y, color.RGBA{uint8(4 * x), uint8(4 * y), 128, 255})
		}
	}
	var out bytes.Buffer
	if err := encode(&out, img); err != nil {
		panic("a picture cannot be written: " + err.Error())
	}
	return out.Bytes()
}

// page is a PDF of one page with a line of text.
func page(line string) []byte {
	text := "BT /F1 14 Tf 72 720 Td (" + line + ") Tj ET"
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(text), text),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
	}
	var out bytes.Buffer
	out.WriteString("%PDF-1.4\n")
	offsets := make([]int, len(objects))
	for i, object := range objects {
		offsets[i] = out.Len()
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	table := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, at := range offsets {
		fmt.Fprintf(&out, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(&out, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, table)
	return out.Bytes()
}
