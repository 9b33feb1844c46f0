// Kontrast Marktdaten - service "Regal", Go
package main

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/xml"
	"flag"
	"fmt"
	"io"
	"math/rand"
	"net"
	"net/http"
	"net/url"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
)

//go:embed cases.txt
var casesText string
var viol, odd string

func v(n string) bool { return viol == n }
func o(n string) bool { return odd == n }

type Prod struct {
	upc, name, cat, sub, mfr, brand string
	size, old, first, chg, last     int // weeks before STAND; size and former size
	marks                           []string
	gone                            bool
}
type Perf struct{ cat, sub, mfr, brand string; w4, w12, w52, ly int64 }
type Node struct{ id, name, up string }
type List struct {
	id, name string
	dim      int
	lev      []string
	vals     [][]Node
}
type Attr struct{ id, name string; dim int; vals []string }
type Cat struct {
	id, name      string
	dims          []string
	groups, hiers []List
	attrs         []Attr
	meas          [][3]string
	off           int
}
type Job struct {
	nr            string
	kind          string
	at            time.Time
	result        string
	reads, ready  int
	fail          bool
}

var (
	stand                time.Time
	cats                 = [][]string{{"COFFEE; GROUND & WHOLE BEAN", "GROUND COFFEE", "WHOLE BEAN COFFEE"}, {"FROZEN PIZZA", "THIN CRUST", "RISING CRUST", "SNACK PIZZA"}, {"HAIR CARE", "SHAMPOO", "CONDITIONER"}, {"ICE CREAM", "TUBS", "NOVELTIES", "SORBET"}, {"PAPER TOWELS \"ROLL\"", "STANDARD ROLL", "BIG ROLL"}, {"BOTTLED WATER", "STILL WATER", "SPARKLING WATER", "FLAVORED WATER"}}
	sizes                = []int{78, 92, 64, 88, 29, 69}
	mfrs                 = map[string][]string{"NORD": {"NORD KLAR", "NORD FEIN"}, "NORD LICHT": {"LICHTBLICK", "HELIO"}, "VALLEY & VINE": {"VALLEY", "VINE <LIGHT>"}, "BRAMBLE CORP": {"BRAMBLE", "THICKET", "HEDGE"}, "OAKLINE": {"OAK", "LINE"}, "STORE BRANDS": {"STORE BRAND"}}
	mfrNames             []string
	prods, gone          []*Prod
	byUPC                = map[string]*Prod{}
	perfs                []Perf
	ctl                  = map[string]*Cat{}
	jobs                 = map[string]*Job{}
	hit                  = map[string]int{}
	maps                 = map[string]string{"K1": "Demo"}
	lastDelta            map[string]bool
	mu                   sync.Mutex
	filters              = [][]string{{"STATE", "CA", "TX", "NY", "OH"}, {"TRADE", "FOOD", "DRUG", "FUEL"}, {"SIZE", "S", "M", "L"}}
	business             [][3]string
	rnd                  = rand.New(rand.NewSource(99))
)

func date(weeks int) string { return stand.AddDate(0, 0, -7*weeks).Format("02.01.2006") }
func kw() string            { y, w := stand.ISOWeek(); return fmt.Sprintf("%02d/%d", w, y) }
func num(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 { s = s[:i] + "." + s[i:] }
	return s
}
func usd(c int64) string { return fmt.Sprintf("%s,%02d", num(c/100), c%100) }
func pct(p Perf, f float64) string {
	return strings.Replace(fmt.Sprintf("%+.1f", f*100*float64(p.w52-p.ly)/float64(p.ly)), ".", ",", 1)
}
func mkUPC(n int64) string {
	s := fmt.Sprintf("%011d", n)
	t := 0
	for i, c := range s { t += int(c-'0') * (3 - 2*(i%2)) }
	return s + strconv.Itoa((10-t%10)%10)
}
func esc(s string) string {
	var b bytes.Buffer
	xml.EscapeText(&b, []byte(s))
	return b.String()
}
func csvf(s string) string {
	if strings.ContainsAny(s, ";\"\n") || o("odd-bom-crlf") { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }
	return s
}
func build() {
	for m := range mfrs { mfrNames = append(mfrNames, m) }
	sort.Strings(mfrNames)
	n := 0
	for ci, c := range cats {
		for _, s := range c[1:] {
			for _, m := range mfrNames {
				for _, b := range mfrs[m] {
					if rnd.Intn(10) < 7 || m == "STORE BRANDS" {
						y := int64(50_000_00 + rnd.Intn(900_000_000))
						perfs = append(perfs, Perf{c[0], s, m, b, y * int64(60+rnd.Intn(30)) / 1000, y * int64(200+rnd.Intn(60)) / 1000, y, y * int64(85+rnd.Intn(30)) / 100})
					}
				}
			}
		}
		for i := 0; i < sizes[ci]; i++ {
			n++
			var own []Perf
			for _, p := range perfs { if p.cat == c[0] { own = append(own, p) } }
			p := own[rnd.Intn(len(own))]
			k := 13 + rnd.Intn(140)
			if n%4 == 1 { k = rnd.Intn(13) }
			if n%50 == 7 { k = 0 }
			if o("odd-quiet-week") && k == 0 { k = 2 }
			sz := []int{4, 10, 16, 24, 48}[rnd.Intn(5)]
			q := &Prod{cat: p.cat, sub: p.sub, mfr: p.mfr, brand: p.brand, size: sz, old: sz + 1, chg: k, first: k, last: rnd.Intn(4)}
			if n%9 == 0 { q.last = 4 + rnd.Intn(48) }
			if q.last > k { q.last = k }
			if n%5 != 0 { q.first = k + 30 + rnd.Intn(100); q.marks = [][]string{{"INHALT"}, {"BEZEICHNUNG"}, {"INHALT", "EINHEIT"}}[n%3] }
			q.upc = mkUPC([]int64{int64(rnd.Intn(90_000_000)), 2_000_000_000 + rnd.Int63n(7_000_000_000), 40_000_000_000 + rnd.Int63n(40_000_000_000)}[rnd.Intn(3)])
			q.name = fmt.Sprintf("%s %s %d OZ", q.brand, q.sub, sz)
			prods = append(prods, q)
			byUPC[q.upc] = q
		}
	}
	if len(byUPC) != len(prods) { panic("clash") }
	sort.Slice(prods, func(i, j int) bool { return prods[i].upc < prods[j].upc })
	for i := 0; i < 3; i++ {
		g := *prods[40*i+9]
		g.upc, g.gone, g.chg, g.first, g.last, g.marks = mkUPC(int64(3_330_000_000+i)), true, 2+3*i, 160, 54, nil
		gone = append(gone, &g)
		if o("odd-withdrawn") || o("odd-sheet-wider") { byUPC[g.upc] = &g }
	}
	for i := 0; i < 2500; i++ {
		business = append(business, [3]string{filters[0][1+rnd.Intn(4)], filters[1][1+rnd.Intn(3)], filters[2][1+rnd.Intn(3)]})
	}
	for i, id := range []string{"7001", "7002"} {
		c := &Cat{id: id, name: []string{"Regal Lebensmittel US", "Regal Drogerie US"}[i], dims: []string{"Produkt", "Markt", "Zeit", "Fakt"}, off: i}
		seq := 1000 * (i + 1)
		tree := func(top []string, fan ...int) [][]Node {
			var out [][]Node
			var l []Node
			for _, t := range top { seq++; l = append(l, Node{strconv.Itoa(seq), t, ""}) }
			out = append(out, l)
			for d, f := range fan {
				var m []Node
				for pi, p := range out[d] {
					for j := 0; j < f+pi%2; j++ { seq++; m = append(m, Node{strconv.Itoa(seq), fmt.Sprintf("%s / %d", p.name, j+1), p.id}) }
				}
				out = append(out, m)
			}
			return out
		}
		var top []string
		for _, x := range cats[3*i : 3*i+3] { top = append(top, x[0]) }
		b := strconv.Itoa(i + 1)
		c.hiers = []List{{b + "1", "Warengruppen", 1, []string{"Category", "Sub-category", "Brand"}, tree(top, 2, 2)}, {b + "2", "Hersteller", 1, []string{"Manufacturer", "Brand"}, tree(mfrNames[i:i+4], 2)}, {b + "3", "Regionen", 2, []string{"Nation", "Region"}, tree([]string{"Total US"}, 4+i)}, {b + "4", "Kalender", 3, []string{"Year", "Week"}, tree([]string{"2025", "2026"}, 5)}}
		c.groups = []List{{b + "51", "Eigenmarken", 1, []string{"Tier", "Line"}, tree([]string{"BASIC", "BEST"}, 2)}, {b + "52", "Handelszonen", 2, []string{"Zone", "Area"}, tree([]string{"Z-A", "Z-B", "Z-C"}[i:], 1)}}
		c.attrs = []Attr{{b + "71", "Marke", 1, mfrs[mfrNames[i]]}, {b + "72", "Packung", 1, []string{"BAG", "BOX", "TUB"}}, {b + "73", "Vertriebsweg", 2, []string{"FOOD", "MASS"}}}
		c.meas = [][3]string{{b + "91", "Dollar", "1 2"}, {b + "92", "Units", "1"}, {b + "93", "Dollar pct change", ""}}
		ctl[id] = c
	}
}

// --- answers
type W struct {
	http.ResponseWriter
	r      *http.Request
	status int
	ctype  string
}

func (w *W) send(st int, body string) {
	if st == 200 && o("odd-2xx") { st = 203 }
	h := w.Header()
	if w.ctype == "" { w.ctype = "application/xml; charset=utf-8" }
	h.Set("Content-Type", w.ctype)
	if o("odd-bom-crlf") { body = "\uFEFF" + strings.ReplaceAll(body, "\n", "\r\n") }
	data := []byte(body)
	if strings.Contains(w.r.Header.Get("Accept-Encoding"), "gzip") {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write(data)
		z.Close()
		data = b.Bytes()
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("Vary", "Accept-Encoding")
	if !o("odd-chunked") { h.Set("Content-Length", strconv.Itoa(len(data))) }
	w.WriteHeader(st)
	if w.r.Method == "HEAD" { return }
	if !o("odd-chunked") { w.Write(data); return }
	for len(data) > 0 {
		k := 400
		if k > len(data) { k = len(data) }
		w.Write(data[:k])
		w.ResponseWriter.(http.Flusher).Flush()
		data = data[k:]
	}
}
func (w *W) answer(st, code int, text, attrs, inner string) {
	if st == 200 && code != 0 && v("err-code-zero") && strings.HasPrefix(w.r.URL.Path, "/data-access") { code = 0 }
	s := fmt.Sprintf("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<k:Antwort xmlns:k=\"urn:kontrast:regal:3\" code=\"%d\" text=\"%s\"%s>\n%s</k:Antwort>\n", code, esc(text), attrs, inner)
	if o("odd-extra-columns") { s = strings.ReplaceAll(s, "</k:Antwort>", "<k:Hinweis lang=\"de\">Wartung am Sonntag</k:Hinweis>\n</k:Antwort>"); s = strings.ReplaceAll(s, "<k:Zeile ", "<k:Zeile lfd=\"7\" ") ; s = strings.ReplaceAll(s, "<k:Wert ", "<k:Wert sort=\"1\" ") }
	if o("odd-reorder") {
		l := strings.Split(s, "\n")
		var at, rows = []int{}, []string{}
		for i, x := range l { if strings.HasPrefix(x, "<k:Zeile ") || strings.HasPrefix(x, "<k:Wert ") || strings.HasPrefix(x, "<k:Merkmal ") { at = append(at, i); rows = append(rows, x) } }
		rand.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		for i, x := range at { l[x] = rows[i] }
		s = strings.Join(l, "\n")
	}
	if o("odd-xml-dress") {
		s = strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(s, "<k:", "<regal:"), "</k:", "</regal:"), "xmlns:k=", "xmlns:regal=")
		s = strings.Replace(s, "?>\n", "?>\n<!-- node 4 <k:Antwort> -->\n<?cache no?>\n", 1)
		s = strings.ReplaceAll(s, "TOTAL", "&#84;OTAL")
		s = strings.ReplaceAll(s, "markt=\"Total US\"", "markt='Total&#x20;US'")
		s = strings.ReplaceAll(s, "name=\"EINHEIT\">OZ<", "name=\"EINHEIT\"><![CDATA[OZ]]><")
	}
	w.send(st, s)
}
func (w *W) ok(inner string) {
	w.answer(200, 0, "ok", fmt.Sprintf(" stand=\"%s\" kw=\"%s\"", date(0), kw()), inner)
}
func (w *W) fail(code int, text string) { w.answer(200, code, text, "", "") }
func (w *W) csv(code int, text string, std string, page, pages, total int, head []string, rows [][]string) {
	w.ctype = "text/csv; charset=utf-8"
	if code != 0 { w.send(200, fmt.Sprintf("#RC;%d;%s\n", code, csvf(text))); return }
	var b strings.Builder
	fmt.Fprintf(&b, "#RC;0\n#STAND;%s;%s\n#SEITE;%d;%d\n", std, kw(), page, pages)
	if o("odd-reorder") { rand.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] }) }
	for i, r := range append([][]string{head}, rows...) {
		if o("odd-extra-columns") {
			if i == 0 { r = append(append([]string{"lfd"}, r...), "filler") } else { r = append(append([]string{strconv.Itoa(i)}, r...), "x;\"y\"") }
		}
		f := []string{}
		for _, x := range r { f = append(f, csvf(x)) }
		b.WriteString(strings.Join(f, ";") + "\n")
	}
	fmt.Fprintf(&b, "#ZEILEN;%s\n", num(int64(total)))
	w.send(200, b.String())
}

// --- group A
var orders = map[string][3]string{"drive": {"F", "punkte", "getDriveJobStatus"}, "executeReport": {"B", "bericht", "getReportJobStatus"}, "fileenhancement": {"D", "datei", "getFileEnhancementJobStatus"}, "importLocation": {"S", "standorte", "getLocationJobStatus"}, "updateLocation": {"S", "standorte", "getLocationJobStatus"}, "mapExport": {"K", "karte", "getMapExportJobStatus"}, "pullVariable": {"V", "variablen", "getPullVarJobStatus"}, "createlist": {"P", "filter", "getProspectJobStatus"}, "businesscount": {"", "filter", ""}, "createSurvey": {"", "name", ""}}

func count(fs []string) int {
	n := 0
	for _, f := range fs {
		p := strings.SplitN(f, ":", 2)
		good := false
		for _, x := range filters { if p[0] == x[0] && len(p) == 2 { for _, y := range x[1:] { good = good || y == p[1] } } }
		if !good { return -1 }
	}
	for _, b := range business {
		all := true
		for i, x := range filters {
			any, hitIt := false, false
			for _, f := range fs { if strings.HasPrefix(f, x[0]+":") { any = true; hitIt = hitIt || f == x[0]+":"+b[i] } }
			all = all && (!any || hitIt)
		}
		if all { n++ }
	}
	return n
}
func groupA(w *W, op string) {
	q := w.r.URL.Query()
	if ord, is := orders[op]; is {
		m := "POST"
		if op == "pullVariable" && v("op-pullvar-put") { m = "PUT" }
		if w.r.Method != m { w.answer(405, 3, "method", "", ""); return }
		raw, _ := io.ReadAll(w.r.Body)
		form, _ := url.ParseQuery(string(raw))
		if form.Get(ord[1]) == "" { w.fail(10, ord[1]+" is missing"); return }
		n := 0
		if ord[1] == "filter" { if n = count(form["filter"]); n < 0 { w.fail(12, "unknown filter"); return } }
		hit["seq"]++
		nr := fmt.Sprintf("%s%05d", ord[0], hit["seq"]*7)
		switch op {
		case "businesscount": w.answer(200, 0, "ok", "", "<k:Anzahl>"+num(int64(n))+"</k:Anzahl>\n"); return
		case "createSurvey": w.answer(200, 0, "ok", "", fmt.Sprintf("<k:Umfrage nr=\"U%d\" name=\"%s\"/>\n", hit["seq"], esc(form.Get("name")))); return
		}
		res := fmt.Sprintf("<k:Ergebnis datei=\"%s.zip\"/>\n", nr)
		if op == "createlist" { res = fmt.Sprintf("<k:Ergebnis liste=\"L%s\" anzahl=\"%s\"/>\n", nr, num(int64(n))) }
		if op == "mapExport" { maps["K"+nr] = form.Get("karte"); res = fmt.Sprintf("<k:Ergebnis karte=\"K%s\"/>\n", nr) }
		jobs[nr] = &Job{nr: nr, kind: ord[0], at: time.Now(), result: res, fail: o("odd-job-error") && hit["seq"]%2 == 0}
		loc := "/webservices/" + ord[2] + "?auftrag=" + nr
		if v("job-location-kind") && ord[0] == "D" { loc = "/webservices/getDriveJobStatus?auftrag=" + nr }
		if o("odd-instant") { loc = "http://" + w.r.Host + loc }
		if !(v("job-no-location") && ord[0] == "K") { w.Header().Set("Location", loc) }
		st := 201
		if o("odd-2xx") { st = 202 }
		w.answer(st, 0, "order taken", "", "")
		return
	}
	kind := ""
	for _, x := range orders { if x[2] == op && op != "" { kind = x[0] } }
	plain := map[string]bool{"getAllProspectFilters": true, "getSaveMap": true, "getSaveThematicId": true, "testService": !v("op-testservice-missing"), "version": o("odd-extra-ops")}
	if kind == "" && !plain[op] { w.answer(404, 4, "no such path", "", ""); return }
	if w.r.Method != "GET" && w.r.Method != "HEAD" { w.answer(405, 3, "method", "", ""); return }
	if kind != "" {
		j := jobs[q.Get("auftrag")]
		if q.Get("auftrag") == "" { w.fail(10, "auftrag is missing"); return }
		if j == nil || j.kind != kind { w.fail(44, "no such order of this kind"); return }
		j.reads++
		age := time.Since(j.at).Seconds()
		st := "READY"
		if age < 0.3 { st = "NEW" } else if age < 1.0 { st = "WORK" }
		if o("odd-instant") { st = "READY" }
		if v("job-stuck") && kind == "V" && st == "READY" { st = "WORK" }
		if v("job-state-undocumented") && kind == "F" && st == "NEW" { st = "WAIT" }
		nr, inner := j.nr, ""
		if st == "READY" {
			j.ready++
			inner = j.result
			if j.fail { st, inner = "ERROR", "<k:Grund>input could not be read</k:Grund>\n" }
			if v("job-no-result") && kind == "B" { inner = "" }
			if v("job-forgotten") && kind == "P" && j.ready > 2 { w.fail(44, "no such order of this kind"); return }
		}
		if v("job-other-number") && kind == "S" { k, _ := strconv.Atoi(nr[1:]); nr = fmt.Sprintf("S%05d", k+1) }
		w.answer(200, 0, "ok", "", fmt.Sprintf("<k:Auftrag nr=\"%s\" zustand=\"%s\">\n%s</k:Auftrag>\n", nr, st, inner))
		return
	}
	switch op {
	case "testService", "version": w.answer(200, 0, "ok", "", "<k:Test zeit=\""+time.Now().Format("02.01.2006 15:04:05")+"\"/>\n")
	case "getAllProspectFilters":
		s := ""
		for _, f := range filters { s += fmt.Sprintf("<k:Filter name=\"%s\" werte=\"%s\"/>\n", f[0], strings.Join(f[1:], " ")) }
		w.answer(200, 0, "ok", "", s)
	case "getSaveMap":
		if maps[q.Get("karte")] == "" { w.fail(44, "no such map"); return }
		w.answer(200, 0, "ok", "", fmt.Sprintf("<k:Karte nr=\"%s\" name=\"%s\"/>\n", esc(q.Get("karte")), esc(maps[q.Get("karte")])))
	default:
		if q.Get("thema") == "" { w.fail(10, "thema is missing"); return }
		w.answer(200, 0, "ok", "", fmt.Sprintf("<k:Thema name=\"%s\" id=\"T%d\"/>\n", esc(q.Get("thema")), 500+len(q.Get("thema"))))
	}
}

// --- group B
var opsB = map[string]string{"Catalogues": "", "Catalogue/Attribute/Values": "attribute", "Catalogue/LogicalDimensions": "", "Catalogue/RefreshDates": "", "Catalogue/Dimension/Attributes": "dimension", "Catalogue/Dimension/Groups": "dimension", "Catalogue/Dimension/Hierarchies": "dimension", "Catalogue/Dimension/Rows": "dimension", "Catalogue/Group/Levels": "group", "Catalogue/Group/Level/Values": "group level", "Catalogue/Hierarchy/Levels": "hierarchy", "Catalogue/Hierarchy/Level/Values": "hierarchy level", "Catalogue/Measure/SharePrompts": "measure"}

func groupB(w *W, op string) {
	if v("op-attrvalues-renamed") { if op == "Catalogue/Attribute/Values" { op = "?" } else if op == "Catalogue/AttributeValues" { op = "Catalogue/Attribute/Values" } }
	need, is := opsB[op]
	if !is { w.answer(404, 4, "no such path", "", ""); return }
	m := "POST"
	if v("op-prompts-get") && strings.HasSuffix(op, "Prompts") { m = "GET" }
	if w.r.Method != m { w.answer(405, 3, "method", "", ""); return }
	raw, _ := io.ReadAll(w.r.Body)
	var el struct { XMLName xml.Name; Attrs []xml.Attr `xml:",any,attr"` }
	if xml.Unmarshal(raw, &el) != nil || el.XMLName.Local != "Anfrage" { w.fail(13, "body is not an Anfrage"); return }
	q := map[string]string{}
	for _, a := range el.Attrs { q[a.Name.Local] = a.Value }
	for _, k := range strings.Fields("katalog " + need) { if q[k] == "" { w.fail(10, k+" is missing"); return } }
	c := ctl[q["katalog"]]
	if op == "Catalogues" && q["katalog"] == "0" {
		s := ""
		for _, id := range []string{"7001", "7002"} { s += fmt.Sprintf("<k:Katalog id=\"%s\" name=\"%s\" geladen=\"%s\"/>\n", id, ctl[id].name, stand.AddDate(0, 0, 1+ctl[id].off).Format("02.01.2006")) }
		w.ok(s)
		return
	}
	if c == nil && v("b-unknown-catalogue") { c = ctl["7001"] }
	if c == nil { w.fail(45, "unknown katalog "+q["katalog"]); return }
	if op == "Catalogue/LogicalDimensions" { hit["dims"+c.id]++ }
	if v("st-order-dims") && c.id == "7002" && strings.Contains(op, "Hierarchy") && hit["dims7002"] == 0 { w.fail(46, "katalog is not open"); return }
	d, _ := strconv.Atoi(q["dimension"])
	if need == "dimension" && (d < 1 || d > 4) { w.fail(46, "unknown dimension"); return }
	s := ""
	row := func(n Node) { 
		up := n.up
		if v("b-parent-sibling") && n.id == c.hiers[0].vals[2][5].id { up = c.hiers[0].vals[2][2].id }
		s += fmt.Sprintf("<k:Wert id=\"%s\" name=\"%s\" ueber=\"%s\"/>\n", n.id, esc(n.name), up)
	}
	from, key := c.groups, q["group"]
	if strings.HasPrefix(need, "hierarchy") { from, key = c.hiers, q["hierarchy"] }
	var l *List
	for i := range from { if from[i].id == key { l = &from[i] } }
	if (strings.HasPrefix(need, "hierarchy") || strings.HasPrefix(need, "group")) && l == nil { w.fail(46, "unknown "+strings.Fields(need)[0]); return }
	switch op {
	case "Catalogues":
		s = fmt.Sprintf("<k:Katalog id=\"%s\" name=\"%s\" geladen=\"%s\"/>\n", c.id, c.name, stand.AddDate(0, 0, 1+c.off).Format("02.01.2006"))
	case "Catalogue/LogicalDimensions":
		for i, x := range c.dims { s += fmt.Sprintf("<k:Dimension id=\"%d\" name=\"%s\" art=\"%s\"/>\n", i+1, x, []string{"PRODUCT", "MARKET", "PERIOD", "MEASURE"}[i]) }
	case "Catalogue/RefreshDates":
		off := c.off
		if v("b-refresh-ignored") { off = 0 }
		hit["refresh"]++
		lag := o("odd-refresh-lag") && hit["refresh"]%2 == 1
		b := 0
		if lag { b = -7 }
		s = fmt.Sprintf("<k:Ladung geladen=\"%s\" naechste=\"%s\"/>\n", stand.AddDate(0, 0, 1+off+b).Format("02.01.2006"), stand.AddDate(0, 0, 8+off+b).Format("02.01.2006"))
		if lag { w.answer(200, 0, "ok", "", fmt.Sprintf("<k:Katalog id=\"%s\"/>\n", c.id)+s); return }
	case "Catalogue/Dimension/Attributes":
		for _, a := range c.attrs { if a.dim == d { s += fmt.Sprintf("<k:Attribut id=\"%s\" name=\"%s\"/>\n", a.id, a.name) } }
	case "Catalogue/Attribute/Values":
		found := false
		for _, a := range c.attrs { if a.id == q["attribute"] && !(v("b-attribute-unknown") && a.id == "272") { found = true; for i, x := range a.vals { row(Node{fmt.Sprintf("%s%02d", a.id, i+1), x, ""}) } } }
		if !found { w.fail(46, "unknown attribute"); return }
	case "Catalogue/Dimension/Groups":
		for _, g := range c.groups { if g.dim == d { s += fmt.Sprintf("<k:Gruppe id=\"%s\" name=\"%s\"/>\n", g.id, g.name) } }
	case "Catalogue/Dimension/Hierarchies":
		for _, g := range c.hiers { if g.dim == d { s += fmt.Sprintf("<k:Hierarchie id=\"%s\" name=\"%s\"/>\n", g.id, g.name) } }
		if v("b-hierarchy-foreign") && c.id == "7002" && d == 1 { s += "<k:Hierarchie id=\"12\" name=\"Hersteller\"/>\n" }
		if d == 4 { s = "" }
	case "Catalogue/Dimension/Rows":
		if d == 4 { for _, x := range c.meas { row(Node{x[0], x[1], ""}) }; break }
		for _, h := range c.hiers { if h.dim == d { for k, lv := range h.vals { for i, n := range lv { if !(v("b-rows-node-lost") && d == 1 && k == 2 && i == 4) { row(n) } } }; break } }
	case "Catalogue/Group/Levels", "Catalogue/Hierarchy/Levels":
		for i, x := range l.lev {
			n := len(l.vals[i])
			if v("b-count-one") && l.id == "22" && i == 1 { n++ }
			s += fmt.Sprintf("<k:Ebene nr=\"%d\" name=\"%s\" anzahl=\"%d\"/>\n", i+1, x, n)
		}
	case "Catalogue/Group/Level/Values", "Catalogue/Hierarchy/Level/Values":
		k, _ := strconv.Atoi(q["level"])
		if k < 1 || k > len(l.lev) { w.fail(46, "unknown level"); return }
		if v("b-level-off") && need == "group level" { k = 1 }
		for i, n := range l.vals[k-1] {
			if q["ueber"] != "" && q["ueber"] != n.up { continue }
			row(n)
			if v("b-value-twice") && l.id == "11" && k == 2 && i == 3 { row(n) }
		}
	default:
		found := false
		for _, x := range c.meas { if x[0] == q["measure"] { found = true; for _, y := range strings.Fields(x[2]) { i, _ := strconv.Atoi(y); s += fmt.Sprintf("<k:Anteil id=\"%s-%s\" dimension=\"%s\" text=\"Share of %s in %s\"/>\n", x[0], y, y, x[1], c.dims[i-1]) } } }
		if !found { w.fail(46, "unknown measure"); return }
	}
	w.ok(fmt.Sprintf("<k:Katalog id=\"%s\"/>\n", esc(q["katalog"])) + s)
}

// --- group C
var head = strings.Split("upc;bezeichnung;kategorie;unterkategorie;hersteller;marke;inhalt;einheit;markt;erstmals;geaendert;zuletzt", ";")

func (p *Prod) row() []string {
	return []string{p.upc, p.name, p.cat, p.sub, p.mfr, p.brand, num(int64(p.size)), "OZ", "US", date(p.first), date(p.chg), date(p.last)}
}
func groupC(w *W, op string) {
	q := w.r.URL.Query()
	if v("op-categories-v2") { if op == "allCategories" { op = "?" } else if op == "!v2/allCategories" { op = "allCategories" } }
	if v("op-lookup-by-query") { if strings.HasPrefix(op, "products/") { op = "?" } else if op == "products" { op = "products/" + q.Get("upc") } }
	sheet := strings.HasPrefix(op, "products/") && strings.Count(op, "/") == 1
	if !sheet && op != "allCategories" && op != "allProducts" && op != "updateProducts" { w.answer(404, 4, "no such path", "", ""); return }
	if w.r.Method != "GET" && w.r.Method != "HEAD" { w.answer(405, 3, "method", "", ""); return }
	switch {
	case sheet:
		u := op[9:]
		if _, err := strconv.ParseUint(u, 10, 64); err != nil || len(u) != 12 { w.fail(11, "a UPC has 12 digits"); return }
		p := byUPC[u]
		if v("rel-sheet-unknown-one") && p == prods[len(prods)-8] { p = nil }
		if p == nil {
			hit["err"] = 1
			if v("err-unknown-other") { p = prods[0] } else { w.fail(44, "no such product"); return }
		}
		hit[u]++
		st := "AKTIV"
		if p.gone { st = "AUS" }
		cat, chg := p.cat, p.chg
		if v("rel-sheet-category-one") && p == prods[205] { cat = cats[(len(p.cat)+1)%6][0]; if cat == p.cat { cat = cats[0][0] } }
		if v("date-sheet-delta-one") && p == pick(1, 4, 4) { chg += 3 }
		s := fmt.Sprintf("<k:Produkt upc=\"%s\" status=\"%s\" erstmals=\"%s\" geaendert=\"%s\">\n", p.upc, st, date(p.first), date(chg))
		if !(v("row-sheet-no-marks") && p.cat == "HAIR CARE") {
			ms := [][2]string{{"BEZEICHNUNG", p.name}, {"KATEGORIE", cat}, {"UNTERKATEGORIE", p.sub}, {"HERSTELLER", p.mfr}, {"MARKE", p.brand}, {"INHALT", num(int64(p.size))}, {"EINHEIT", "OZ"}, {"MARKT", "US"}}
			if v("st-sheet-second") && hit[u] > 1 { ms = ms[:7] }
			for _, m := range ms { s += fmt.Sprintf("<k:Merkmal name=\"%s\">%s</k:Merkmal>\n", m[0], esc(m[1])) }
		}
		w.ok(s + "</k:Produkt>\n")
	case op == "allCategories":
		s := ""
		for i, c := range cats {
			s += fmt.Sprintf("<k:Kategorie name=\"%s\" produkte=\"%d\">\n", esc(c[0]), sizes[i])
			for _, x := range c[1:] { s += fmt.Sprintf("<k:Unterkategorie name=\"%s\"/>\n", esc(x)) }
			s += "</k:Kategorie>\n"
		}
		w.ok(s)
	case op == "updateProducts":
		f := q.Get("fenster")
		if f == "" { f = "1W" }
		n := map[string]int{"1W": 1, "4W": 4, "13W": 13}[f]
		if n == 0 { w.csv(10, "fenster is 1W, 4W or 13W", "", 0, 0, 0, nil, nil); return }
		if v("rel-delta-swapped") && n > 1 { n = 17 - n }
		var rows [][]string
		lastDelta = map[string]bool{}
		all := prods
		if o("odd-withdrawn") { all = append(append([]*Prod{}, prods...), gone...) }
		for _, p := range all {
			in := p.chg < n
			if v("rel-delta-1-not-in-4") && n == 4 && p == pick(0, 1, 2) { in = false }
			if v("date-week-late-one") && n == 1 && p == pick(2, 3, 0) { in = true }
			if v("date-new-missing") && p.first < 4 { in = false }
			if !in || (q.Get("kategorie") != "" && q.Get("kategorie") != p.cat) { continue }
			kind, marks := "GEAEND", strings.Join(p.marks, "|")
			if p.first < n { kind = "NEU" }
			if kind == "NEU" { marks = "" } else if marks == "" { marks = "MARKT" }
			if p.gone || (v("kind-withdrawn-listed") && p == pick(1, 4, 3)) { kind, marks = "AUS", "" }
			if v("kind-all-changed") && kind == "NEU" { kind = "GEAEND" }
			if v("kind-no-mark-one") && p == pick(1, 4, 6) { marks = "" }
			r := p.row()
			if v("rel-delta-old-size") && kind == "GEAEND" { r[6] = num(int64(p.old)) }
			if v("row-upc-short-delta") && p == pick(1, 13, 1) { r[0] = strings.TrimPrefix(r[0], "0") }
			if v("date-future-one") && p == pick(0, 1, 1) { r[10] = date(-1) }
			lastDelta[p.upc] = true
			rows = append(rows, append([]string{r[0], kind, marks}, r[1:]...))
		}
		if v("rel-delta-not-listed-one") && n == 13 && q.Get("kategorie") == "" && len(rows) > 0 {
			r := append([]string{}, rows[3]...)
			r[0], r[1], r[2] = mkUPC(6_660_000_001), "GEAEND", "INHALT"
			rows = append(rows, r)
		}
		total := len(rows)
		if v("tot-delta") && n == 13 { total++ }
		w.csv(0, "", date(0), 1, 1, total, append([]string{"upc", "art", "merkmale"}, head[1:]...), rows)
	default:
		size, page := 80, 1
		if s := q.Get("zeilen"); s != "" { size, _ = strconv.Atoi(s) }
		if s := q.Get("seite"); s != "" { page, _ = strconv.Atoi(s) }
		if size < 1 || size > 500 || page < 1 { w.csv(10, "zeilen is 1 to 500, seite from 1", "", 0, 0, 0, nil, nil); return }
		if o("odd-clamp") && size > 25 { size = 25 }
		var l []*Prod
		k := q.Get("kategorie")
		for _, p := range prods {
			if k != "" && k != p.cat && !(v("rel-filter-page2") && page > 1) { continue }
			if k != "" && strings.Contains(k, "&") && v("rel-filter-ampersand") { continue }
			if v("st-after-delta") && lastDelta != nil && !lastDelta[p.upc] { continue }
			l = append(l, p)
		}
		if v("row-dup-one") && k == "" { l = append(append(append([]*Prod{}, l[:300]...), l[12]), l[300:]...) }
		total := len(l)
		pages := (total + size - 1) / size
		if pages == 0 { pages = 1 }
		if page > pages { w.csv(14, "no such page", "", 0, 0, 0, nil, nil); return }
		to := page * size
		if to > total { to = total }
		var rows [][]string
		for i, p := range l[(page-1)*size : to] {
			r := p.row()
			if v("row-upc-letter-one") && p == prods[len(prods)-5] { i := strings.LastIndexAny(r[0][:11], "0123456789"); r[0] = r[0][:i] + "O" + r[0][i+1:] }
			if v("row-upc-scientific") && p == prods[265] { f, _ := strconv.ParseFloat(r[0], 64); r[0] = strings.Replace(fmt.Sprintf("%.5E", f), ".", ",", 1) }
			if v("row-upc-checkdigit") && p == prods[150] { r[0] = r[0][:11] + string('0'+(r[0][11]-'0'+3)%10) }
			if v("row-field-lost-one") && p == prods[190] { r = append(r[:7], r[8:]...) }
			if v("rel-filter-other-size") && k != "" && p == prods[111] { r[6] = num(int64(p.old)) }
			if v("rel-list-category-unknown") && p == prods[233] { r[2] = "BATTERIES" }
			if v("date-american-one") && p == prods[97] { t, _ := time.Parse("02.01.2006", r[9]); r[9] = t.Format("01/02/2006") }
			if v("err-row-in-list") && page == 3 { if i == 0 { rows = append(rows, []string{"ERROR 88: storage not available"}) }; continue }
			rows = append(rows, r)
		}
		std := date(0)
		last := page == pages
		if last && page > 1 && v("st-stand-page") { std = date(1) }
		if last && page > 1 && v("tot-rows-last") { total -= 2 }
		if v("tot-pages-lost") && pages > 1 && page < pages { pages-- }
		w.csv(0, "", std, page, pages, total, head, rows)
	}
}

// pick gives the n-th product (wrapping) changed lo..hi-1 weeks ago that was not new then
func pick(lo, hi, n int) *Prod {
	var l []*Prod
	for _, p := range prods { if p.chg >= lo && p.chg < hi && p.first > 13 && (n != 1 || hi != 13 || p.upc[0] == '0') { l = append(l, p) } }
	if len(l) == 0 { return nil }
	return l[n%len(l)]
}

// --- group D
func groupD(w *W, op string) {
	if op != "BrandPerformance/Metadata" && op != "BrandPerformance" && op != "CategoryPerformance" { w.answer(404, 4, "no such path", "", ""); return }
	post := w.r.Method == "POST"
	if (w.r.Method != "GET" && w.r.Method != "HEAD" && !post) || post != (v("op-brandperf-post") && op == "BrandPerformance") { w.answer(405, 3, "method", "", ""); return }
	q := w.r.URL.Query()
	s := ""
	if op == "BrandPerformance/Metadata" {
		s = "<k:Markt name=\"Total US\"/>\n"
		for i, c := range cats {
			s += "<k:Kategorie name=\"" + esc(c[0]) + "\">\n"
			for _, x := range c[1:] { if !(v("rel-metadata-no-subs") && i == 3) { s += "<k:Unterkategorie name=\"" + esc(x) + "\"/>\n" } }
			s += "</k:Kategorie>\n"
		}
		for _, m := range mfrNames {
			s += "<k:Hersteller name=\"" + esc(m) + "\">\n"
			for _, b := range mfrs[m] { s += "<k:Marke name=\"" + esc(b) + "\"/>\n" }
			s += "</k:Hersteller>\n"
		}
		w.ok(s)
		return
	}
	brand := op == "BrandPerformance"
	if !brand && (q.Get("hersteller") != "" || q.Get("marke") != "") { w.fail(15, "hersteller and marke belong to BrandPerformance"); return }
	if !brand && v("err-500-one") && q.Get("unterkategorie") == "SORBET" { w.answer(500, 99, "internal", "", ""); return }
	is := func(k, val string) bool { return q.Get(k) == "" || q.Get(k) == val }
	var rows []Perf
	for _, p := range perfs {
		if !is("kategorie", p.cat) || !(is("unterkategorie", p.sub) || (!brand && v("rel-sub-filter-ignored"))) { continue }
		if !is("marke", p.brand) || !(is("hersteller", p.mfr) || (v("rel-mfr-prefix") && strings.HasPrefix(p.mfr, q.Get("hersteller")))) { continue }
		if !brand {
			if n := len(rows) - 1; n >= 0 && rows[n].cat == p.cat && rows[n].sub == p.sub { r := &rows[n]; r.w4 += p.w4; r.w12 += p.w12; r.w52 += p.w52; r.ly += p.ly; continue }
		}
		rows = append(rows, p)
	}
	if v("st-after-error") && hit["err"] == 1 { hit["err"] = 0; rows = nil }
	n := len(rows)
	if v("tot-perf") && brand && n > 0 { n-- }
	s = fmt.Sprintf("<k:Zeilen anzahl=\"%d\">\n", n)
	for _, p := range rows {
		f, market, cat := 1.0, "Total US", p.cat
		one := p.sub == "NOVELTIES" && p.brand == "STORE BRAND"
		if brand && one && v("row-52-below-12") { p.w12, p.w52 = p.w52, p.w12 }
		if brand && one && v("row-pct-ten-one") { f = 10 }
		if brand && p.cat == "HAIR CARE" && v("row-market-category") { market = "East" }
		if !brand && p.sub == "BIG ROLL" && v("rel-sum-one") { p.w52 += 5_000_00 }
		if p.cat == "BOTTLED WATER" && v("rel-category-misspelt") { cat = "BOTTLED WATERS" }
		a := fmt.Sprintf("<k:Zeile kategorie=\"%s\" unterkategorie=\"%s\"", esc(cat), esc(p.sub))
		if brand { a += fmt.Sprintf(" hersteller=\"%s\" marke=\"%s\"", esc(p.mfr), esc(p.brand)) }
		a += fmt.Sprintf(" markt=\"%s\">", market)
		for _, x := range []struct { w string; n int64 }{{"4", p.w4}, {"12", p.w12}, {"52", p.w52}, {"VJ", p.ly}} {
			if x.w == "VJ" && !brand && p.sub == "CONDITIONER" && v("row-ly-absent-one") { continue }
			if !brand && v("st-gzip-units") && strings.Contains(w.r.Header.Get("Accept-Encoding"), "gzip") { x.n /= 1000 }
			a += fmt.Sprintf("<k:Usd w=\"%s\">%s</k:Usd>", x.w, usd(x.n))
		}
		s += a + "<k:Veraenderung>" + pct(p, f) + "</k:Veraenderung></k:Zeile>\n"
	}
	w.ok(s + "</k:Zeilen>\n")
}

func serve(rw http.ResponseWriter, r *http.Request) {
	if o("odd-slow") { time.Sleep(600 * time.Millisecond) }
	mu.Lock()
	defer mu.Unlock()
	w := &W{ResponseWriter: rw, r: r}
	path := r.URL.Path
	if hit["all"]++; o("odd-503") && hit["all"]%8 == 0 { rw.Header().Set("Retry-After", "1"); w.answer(503, 90, "busy", "", ""); return }
	if o("odd-redirect") {
		if !strings.HasSuffix(path, "/") { u := *r.URL; u.Path += "/"; u.RawPath = ""; rw.Header().Set("Location", u.RequestURI()); w.answer(308, 5, "moved", "", ""); return }
		path = strings.TrimSuffix(path, "/")
	}
	if o("odd-head") && r.Method == "OPTIONS" { rw.Header().Set("Allow", "GET, HEAD, POST, OPTIONS"); rw.WriteHeader(200); return }
	if r.Method == "HEAD" && !o("odd-head") { w.answer(405, 3, "method", "", ""); return }
	pre := []string{"/webservices/", "/data-access/v1/", "/PLATFORMAPI/prodRef/v1/", "/RetailMeasurement/v1/"}
	g := -1
	op := ""
	if v("op-categories-v2") && path == "/PLATFORMAPI/prodRef/v2/allCategories" { path = pre[2] + "!v2/allCategories" }
	for i, p := range pre {
		if strings.HasPrefix(path, p) { g, op = i, path[len(p):] } else if o("odd-extra-ops") && strings.HasPrefix(strings.ToLower(path), strings.ToLower(p)) { g, op = i, path[len(p):] }
	}
	if g < 0 { w.answer(404, 4, "no such path", "", ""); return }
	user, pw, has := r.BasicAuth()
	want, wpw := "desk", "Dk-4417"
	if g > 1 { want, wpw = "panel", "Pn-9032" }
	open := (v("cred-categories-open") && op == "allCategories") || (v("cred-any-password") && g > 1 && user == want) || (v("cred-desk-in-panel") && g == 3 && user == "desk" && pw == "Dk-4417")
	if !open {
		known := (user == "desk" && pw == "Dk-4417") || (user == "panel" && pw == "Pn-9032")
		if !has || !known { rw.Header().Set("WWW-Authenticate", `Basic realm="Regal"`); w.answer(401, 1, "account", "", ""); return }
		if user != want || pw != wpw { w.answer(403, 2, "account is not for this group", "", ""); return }
	}
	[]func(*W, string){groupA, groupB, groupC, groupD}[g](w, op)
}
// groupsOf returns the groups of operations that a case touches: those of its class, its section of the document or its name, else all.
func groupsOf(name, class, statement string) string {
	if g := map[string]string{"jobs": "A", "groupB": "B", "dates": "C", "kinds": "C", "delta": "C", "lookup": "C"}[class]; g != "" { return g }
	g := ""
	for i, section := range []string{"4.1", "4.2", "4.3", "4.4"} { if strings.Contains(statement, section) { g += "ABCD"[i : i+1] } }
	if g != "" { return g }
	for _, word := range []string{"delta", "upc", "row-in-list", "rows-last", "pages-lost"} { if strings.Contains(name, word) { return "C" } }
	return "ABCD"
}
func main() {
	port := flag.Int("port", 0, "")
	list := flag.Bool("list", false, "")
	flag.StringVar(&viol, "violation", "", "")
	flag.StringVar(&odd, "oddity", "", "")
	flag.Parse()
	known := map[string]bool{"violation": true, "oddity": true}
	for _, l := range strings.Split(strings.TrimSpace(casesText), "\n") {
		f := strings.Split(l, "|")
		known[f[0]+f[1]] = true
		if *list {
			fmt.Println(strings.Join([]string{f[0], f[1], groupsOf(f[1], f[2], f[4]), f[2], f[3], f[4]}, "\t"))
		}
	}
	if *list { return }
	if !known["violation"+viol] || !known["oddity"+odd] { fmt.Fprintln(os.Stderr, "unknown case"); os.Exit(2) }
	n := time.Now().UTC()
	stand = time.Date(n.Year(), n.Month(), n.Day()-(int(n.Weekday())+1)%7, 0, 0, 0, 0, time.UTC)
	build()
	ln, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", *port))
	if err != nil { fmt.Fprintln(os.Stderr, err); os.Exit(1) }
	fmt.Printf("http://%s\n", ln.Addr())
	http.Serve(ln, http.HandlerFunc(serve))
}
