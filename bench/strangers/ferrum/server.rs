//! Ferrum Data Exchange: columns and rows instead of objects, cursors, gzip, a token per group, fractions for percentages,
//! US dates, characteristics as name-value rows, states of jobs as numbers.
use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

const VIOLATIONS: &[(&str, &str, &str, &str)] = &[
    ("op-missing", "A", "operation", "businesscount is not there"),
    ("op-method", "C", "operation", "updateProducts is POST only"),
    ("path-no-version", "D", "operation", "BrandPerformance/Metadata is served without /v1"),
    ("filter-ignored-slash", "C", "relation", "the filter by the category with a slash is ignored"),
    ("filter-trailing", "C", "rows", "the list of one category ends with two products of the next"),
    ("filter-lacks-zeros", "C", "rows", "filtered lists lack products with leading zeros"),
    ("bulk-lacks-zeros", "C", "rows", "the bulk list lacks products whose UPC begins with three zeros"),
    ("cursor-loops", "C", "rows", "the cursor of the third page is the one of the second"),
    ("cursor-ends-early", "C", "rows", "the bulk list has no cursor after 900 rows"),
    ("upc-number", "C", "values", "UPCs of one category are without their leading zeros"),
    ("upc-blank", "C", "values", "one product of the delta has an empty UPC"),
    ("market-in-bulk", "C", "values", "products of one category are of the market MX"),
    ("delta-all", "C", "relation", "the delta of 13 weeks is the bulk list"),
    ("delta-misses-one", "C", "relation", "the delta of 13 weeks lacks one changed product"),
    ("delta-edge-1", "C", "relation", "the 1 week window ends a day before the as-of"),
    ("delta-4-in-1", "C", "relation", "the delta of one week has a product that changed 20 days ago"),
    ("delta-date-shifted", "C", "values", "the dates of change in the delta are a day off those of the bulk list for one category"),
    ("lookup-neighbour", "C", "relation", "the look-up of 1 in 100 products has the characteristics and UPC of the next"),
    ("lookup-category-old", "C", "relation", "the look-up of one sub-category's products names another category"),
    ("lookup-404-one", "C", "rows", "30 listed products are unknown to the look-up"),
    ("lookup-any", "C", "relation", "the look-up knows every 12 digits"),
    ("lookup-error-in-200", "C", "error in success", "the look-up of one product in 25 has one row: ERROR"),
    ("metadata-500-after-3", "D", "error in success", "the third and later reading of the metadata is 500"),
    ("filter-500-quote", "C", "error in success", "a filter value with an apostrophe is 500"),
    ("count-off", "D", "totals", "rowCount of filtered performance is one more"),
    ("echo-other", "C", "totals", "the bulk list of one category says that it is of another"),
    ("figure-negative", "D", "values", "one brand row has negative 4-week dollars"),
    ("figure-thousands", "D", "values", "52-week dollars of one row are in thousands"),
    ("pct-percent", "D", "values", "one row has a percentage where all others have a fraction"),
    ("pct-base", "D", "values", "the fraction is relative to the current year in all rows"),
    ("market-one-row", "D", "values", "one row of CategoryPerformance is of the market Total World"),
    ("metadata-stale", "D", "relation", "the metadata has a brand that no longer sells and lacks the one in its place"),
    ("category-row-twice", "D", "rows", "one category row comes twice"),
    ("sum-off", "D", "relation", "12-week dollars of one category row are not the sum of its brand rows"),
    ("filter-sub-crosses", "D", "relation", "a sub-category filter without category is ignored"),
    ("brand-filter-empty", "D", "relation", "the filter by one brand that the metadata lists finds nothing"),
    ("state-first-cursor", "CD", "state", "every list begins where the last one of that operation ended"),
    ("state-every-7th", "D", "state", "every 7th answer of BrandPerformance lacks its first row"),
    ("state-gzip", "CD", "state", "an uncompressed list has one row less"),
    ("job-latest", "A", "jobs", "the status of the older of two pull jobs is an error"),
    ("job-failed-number", "A", "jobs", "the state of report jobs is a number that is not among the states"),
    ("job-never-final", "A", "jobs", "drive jobs stay in state 1"),
    ("job-cross", "A", "jobs", "any status operation knows the jobs of any kind"),
    ("b-same-rows", "B", "group B", "Dimension/Rows is the same in every catalogue"),
    ("b-attribute-of-other", "B", "group B", "Dimension/Attributes lists an attribute of another catalogue"),
    ("b-value-missing", "B", "group B", "Attribute/Values of one attribute is 404"),
    ("b-parent-wrong", "B", "group B", "levels of one group name another group"),
    ("b-hierarchy-cross", "B", "group B", "Hierarchy/Level/Values ignores the hierarchy"),
    ("auth-one-op-refuses", "B", "credentials", "SharePrompts refuses the token of group B"),
];
const ODDITIES: &[(&str, &str)] = &[
    ("order-by-value", "rows are ordered by the first column, then by chance of the cursor"),
    ("cursor-signed", "cursors differ in each answer and hold +, / and ="),
    ("no-gzip", "nothing is compressed"),
    ("empty-204", "an empty list is 204"),
    ("delisted", "a reload comes with the look-up of two products, which are gone: 404"),
    ("connection-close", "each answer closes its connection"),
    ("lag-marked", "every third list is a week older, and says so"),
    ("post-201", "jobs start with 201"),
];
const TOKENS: [(&str, &str); 4] = [("/webservices/", "fer-a"), ("/data-access/", "fer-b"), ("/PLATFORMAPI/", "fer-c"), ("/RetailMeasurement/", "fer-d")];
const TREE: &[(&str, &[&str])] = &[
    ("Hardware/Tools", &["Hand", "Power"]), ("Lawn & Garden", &["Seeds", "Soil", "Hoses"]), ("Auto; Truck", &["Oil", "Wipers"]), ("Men's Grooming", &["Razors", "Gel"]),
    ("Paint 1+1", &["Interior", "Exterior"]), ("Café", &["Beans", "Capsules"]), ("Laundry", &["Liquid", "Powder", "Pods"]), ("Baby", &["Wipes", "Diapers"]),
    ("Candy", &["Gum", "Bars", "Seasonal"]), ("Paper, Plastic", &["Towels", "Bags"]), ("Light", &["Bulbs", "Lamps"]),
];
const BRANDS: [(&str, &str); 12] = [("Anvil Corp", "Anvil"), ("Anvil Corp", "Anvil Pro"), ("Bolt & Nut", "Bolt"), ("Bolt & Nut", "Bolt Mini"), ("Cinder", "Cinder"), ("Drift/Deep", "Drift"),
    ("Drift/Deep", "Deep"), ("Ember's", "Ember's Own"), ("Forge", "Forge"), ("Forge", "Forge 9"), ("Grit", "Grit"), ("Grit", "Grit+")];
const AS_OF: i64 = 20_770; // days since 1970: 2026-11-13, a Friday

#[derive(Clone)]
struct Product { upc: String, name: String, sub: usize, brand: usize, age: i64, first: i64, new: bool, color: &'static str, weight: usize }
struct World { subs: Vec<(usize, &'static str)>, products: Vec<Product>, cells: BTreeMap<(usize, usize), [i64; 4]>, v: String, o: String, seen: HashMap<String, usize>, jobs: Vec<(String, usize)> }
struct Reply(u16, String);
type Q = HashMap<String, String>;

fn us_date(age: i64) -> String {
    let z = AS_OF - age + 719_468; // days to civil date
    let (era, doe) = (z.div_euclid(146_097), z.rem_euclid(146_097));
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let (d, m) = (doy - (153 * mp + 2) / 5 + 1, if mp < 10 { mp + 3 } else { mp - 9 });
    format!("{:02}/{:02}/{}", m, d, yoe + era * 400 + if m <= 2 { 1 } else { 0 })
}
fn s(t: &str) -> String { format!("\"{}\"", t.replace('\\', "\\\\").replace('"', "\\\"")) }
fn unpct(t: &str) -> String {
    let (b, mut out, mut i) = (t.as_bytes(), Vec::new(), 0);
    while i < b.len() {
        match b[i] {
            b'%' if i + 2 < b.len() + 0 => { out.push(u8::from_str_radix(&t[i + 1..i + 3], 16).unwrap_or(b'?')); i += 2 }
            b'+' => out.push(b' '),
            c => out.push(c),
        }
        i += 1;
    }
    String::from_utf8_lossy(&out).into_owned()
}
fn pairs(t: &str) -> Q { t.split('&').filter(|p| !p.is_empty()).map(|p| { let (k, v) = p.split_once('=').unwrap_or((p, "")); (unpct(k), unpct(v)) }).collect() }

impl World {
    fn new(v: &str, o: &str) -> World {
        let subs: Vec<_> = TREE.iter().enumerate().flat_map(|(c, t)| t.1.iter().map(move |x| (c, *x))).collect();
        let products: Vec<_> = (1..=1200usize).map(|i| {
            let upc = if i % 5 == 2 { 400_000_000 + i * 71_013 } else if i % 50 == 4 { 12_345_000 + i } else { 210_000_000_000 + i * 500_009 };
            let (new, age) = (i % 7 == 0, (i * 43 % 361) as i64);
            Product { upc: format!("{:012}", upc), name: format!("Ferrum item {i}"), sub: i * 7 % subs.len(), brand: i * 5 % BRANDS.len(), age, first: if new { age } else { 420 + i as i64 }, new,
                color: ["red", "blue", "raw"][i % 3], weight: 10 + i % 90 }
        }).collect();
        let mut cells: BTreeMap<(usize, usize), [i64; 4]> = BTreeMap::new();
        for p in &products { cells.entry((p.sub, p.brand)).or_insert([0; 4])[0] += 100_000 + (p.upc[4..].parse::<i64>().unwrap() % 800_000) }
        for (n, c) in cells.values_mut().enumerate() { let n = n as i64; c[1] = c[0] * 3 + n; c[2] = c[0] * 13 - n; c[3] = c[2] * (72 + n % 65) / 100 }
        World { subs, products, cells, v: v.into(), o: o.into(), seen: HashMap::new(), jobs: Vec::new() }
    }
    fn v(&self, n: &str) -> bool { self.v == n }
    fn o(&self, n: &str) -> bool { self.o == n }
    fn count(&mut self, k: &str) -> usize { let c = self.seen.entry(k.into()).or_insert(0); *c += 1; *c }
    /// Days since the first week: 7 after a reload.
    fn shift(&self) -> i64 { 7 * self.seen.contains_key("gone") as i64 }
    fn category(&self, p: &Product) -> &'static str { TREE[self.subs[p.sub].0].0 }

    fn table(&mut self, op: &str, q: &Q, columns: &str, mut rows: Vec<String>, extra: &str) -> Result<Reply, Reply> {
        if rows.is_empty() && self.o("empty-204") { return Ok(Reply(204, String::new())) }
        let limit: usize = q.get("limit").map_or(Ok(150), |t| t.parse()).ok().filter(|n| *n > 0).ok_or(Reply(400, "limit".into()))?.min(500);
        let mut from: usize = match q.get("cursor") { Some(c) => c.trim_matches(|x: char| !x.is_ascii_digit()).parse().map_err(|_| Reply(400, "cursor".into()))?, None => 0 };
        if self.o("order-by-value") { rows.sort() }
        if self.v("state-first-cursor") { let k = format!("at {op}"); let last = *self.seen.get(&k).unwrap_or(&0); if !q.contains_key("cursor") && last > 0 && last < rows.len() { from = 1 } self.seen.insert(k, (from + limit).min(rows.len())); }
        let filtered = q.keys().any(|k| k.starts_with("f_"));
        let total = rows.len() + (self.v("count-off") && op.ends_with("Performance") && filtered) as usize;
        let mut next = from + limit;
        let more = next < rows.len() && !(self.v("cursor-ends-early") && op == "allProducts" && next >= 900);
        if self.v("cursor-loops") && op == "allProducts" && from >= 2 * limit { next = 2 * limit }
        let part = rows.iter().skip(from).take(limit).cloned().collect::<Vec<_>>();
        let cursor = if more { if self.o("cursor-signed") { let n = self.count("cursor"); s(&format!("{}{next}=", "+/".repeat(1 + n % 3))) } else { s(&next.to_string()) } } else { "null".into() };
        let lag = if self.o("lag-marked") && op.ends_with("Performance") { let n = self.count("lag"); if n % 3 == 0 { 7 } else { 0 } } else { 0 };
        Ok(Reply(200, format!("{{\"weekEnding\":{},{extra}\"rowCount\":{total},\"columns\":[{columns}],\"rows\":[{}],\"nextCursor\":{cursor}}}", s(&us_date(lag - self.shift())), part.join(","))))
    }

    fn group_c(&mut self, op: &str, q: &Q) -> Result<Reply, Reply> {
        match op {
            "allCategories" => {
                let rows = self.subs.iter().map(|(c, x)| format!("[{},{}]", s(TREE[*c].0), s(x))).collect();
                self.table(op, q, "\"CTGRY_NM\",\"SUBCTGRY_NM\"", rows, "")
            }
            "allProducts" => {
                let f = q.get("f_ctgry").cloned();
                if self.v("filter-500-quote") && f.as_deref().is_some_and(|c| c.contains('\'')) { return Err(Reply(500, "ORA-01756".into())) }
                let ignored = self.v("filter-ignored-slash") && f.as_deref() == Some("Hardware/Tools");
                let mut list: Vec<Product> = self.products.iter().filter(|p| self.shift() == 0 || p.name != "Ferrum item 150" && p.name != "Ferrum item 151").filter(|p| ignored || f.as_deref().is_none_or(|c| c == self.category(p))).cloned().collect();
                if self.v("filter-lacks-zeros") && f.is_some() { list.retain(|p| !p.upc.starts_with('0')) }
                if self.v("bulk-lacks-zeros") { list.retain(|p| !p.upc.starts_with("0000")) }
                if self.v("filter-trailing") && f.as_deref() == Some("Laundry") { let extra: Vec<_> = self.products.iter().filter(|p| self.category(p) == "Baby").take(2).cloned().collect(); list.extend(extra) }
                let rows = list.iter().map(|p| {
                    let c = self.category(p);
                    let upc = if self.v("upc-number") && c == "Candy" { p.upc.trim_start_matches('0') } else { &p.upc };
                    let market = if self.v("market-in-bulk") && c == "Light" { "MX" } else { "US" };
                    format!("[{},{},{},{},{},{},{},{}]", s(upc), s(&p.name), s(c), s(self.subs[p.sub].1), s(BRANDS[p.brand].1), s(market), s(&us_date(p.first)), s(&us_date(p.age)))
                }).collect();
                let shown = f.map(|c| if self.v("echo-other") && c == "Café" { "Candy".into() } else { c });
                let extra = shown.map_or(String::new(), |c| format!("\"filter\":{{\"ctgry\":{}}},", s(&c)));
                self.table(op, q, "\"UPC_CD\",\"ITEM_NM\",\"CTGRY_NM\",\"SUBCTGRY_NM\",\"BRAND_NM\",\"MKT\",\"FRST_DT\",\"CHG_DT\"", rows, &extra)
            }
            "updateProducts" => {
                let w = q.get("window").map_or("W01", |t| t.as_str());
                let weeks: i64 = match w { "W01" => 1, "W04" => 4, "W13" => 13, _ => return Err(Reply(400, "window".into())) };
                let all = self.v("delta-all") && weeks == 13;
                let mut list: Vec<Product> = self.products.iter().filter(|p| all || p.age + self.shift() < weeks * 7 && !(self.v("delta-edge-1") && weeks == 1 && p.age == 0)).cloned().collect();
                if self.v("delta-misses-one") && weeks == 13 { list.retain(|p| p.age != 55) }
                if self.v("delta-4-in-1") && weeks == 1 { list.extend(self.products.iter().find(|p| p.age == 20).cloned()) }
                let mut n = 0;
                let rows = list.iter().map(|p| {
                    n += 1;
                    let upc = if self.v("upc-blank") && weeks == 13 && n == 77 { "" } else { &p.upc };
                    let shift = (self.v("delta-date-shifted") && self.category(p) == "Café") as i64;
                    format!("[{},{},{},{}]", s(upc), s(if p.new { "I" } else { "U" }), s(&us_date(p.age + shift)), s(p.color))
                }).collect();
                self.table(op, q, "\"UPC_CD\",\"OP\",\"CHG_DT\",\"COLOR\"", rows, &format!("\"window\":{},", s(w)))
            }
            _ => {
                let Some(upc) = op.strip_prefix("products/") else { return Err(Reply(404, "path".into())) };
                if upc.len() != 12 || !upc.bytes().all(|b| b.is_ascii_digit()) { return Err(Reply(400, "upc".into())) }
                let found = self.products.iter().position(|p| p.upc == upc);
                let Some(mut k) = found.or(if self.v("lookup-any") { Some(99) } else { None }) else { return Err(Reply(404, "upc".into())) };
                if self.o("delisted") && (k == 149 || k == 150) { self.seen.insert("gone".into(), 1); return Err(Reply(404, "upc".into())) }
                if self.v("lookup-404-one") && k % 40 == 6 { return Err(Reply(404, "upc".into())) }
                if self.v("lookup-error-in-200") && k % 25 == 9 { return Ok(Reply(200, "{\"columns\":[\"CHAR\",\"VALUE\"],\"rows\":[[\"ERROR\",\"SYS-77\"]]}".into())) }
                if self.v("lookup-neighbour") && k % 100 == 31 { k += 1 }
                let p = &self.products[k];
                let c = if self.v("lookup-category-old") && self.subs[p.sub].1 == "Pods" { "Café" } else { self.category(p) };
                let shown = if self.v("lookup-any") { upc } else { &p.upc };
                let rows = [("UPC", shown), ("ITEM", &p.name), ("CATEGORY", c), ("SUBCATEGORY", self.subs[p.sub].1), ("BRAND", BRANDS[p.brand].1), ("MANUFACTURER", BRANDS[p.brand].0), ("COLOR", p.color),
                    ("WEIGHT", &format!("{} kg", p.weight)), ("CHANGED", &us_date(p.age)), ("FIRST", &us_date(p.first))].map(|(k, t)| format!("[{},{}]", s(k), s(t)));
                Ok(Reply(200, format!("{{\"weekEnding\":{},\"columns\":[\"CHAR\",\"VALUE\"],\"rows\":[{}]}}", s(&us_date(-self.shift())), rows.join(","))))
            }
        }
    }

    fn group_d(&mut self, op: &str, q: &Q) -> Result<Reply, Reply> {
        let has = |k: &str, t: &str| q.get(k).is_none_or(|x| x == t);
        let money = |n: i64| format!("{}.{:02}", n / 100, n.abs() % 100);
        let line = |names: &[&str], f: &[i64; 4], market: &str, percent: i64, base: usize| {
            let pct = (f[2] - f[3]) as f64 / f[base] as f64 * percent as f64;
            format!("[{},{},{},{},{},{},{:.5}]", names.iter().map(|n| s(n)).collect::<Vec<_>>().join(","), s(market), money(f[0]), money(f[1]), money(f[2]), money(f[3]), pct)
        };
        let figures = "\"MKT\",\"DOL_4W\",\"DOL_12W\",\"DOL_52W\",\"DOL_LY\",\"DOL_CHG\"";
        let base = if self.v("pct-base") { 2 } else { 3 };
        match op {
            "BrandPerformance/Metadata" => {
                if self.v("metadata-500-after-3") && self.count("metadata") > 2 { return Err(Reply(500, "ORA-00018".into())) }
                let rows = self.cells.keys().map(|(sub, b)| {
                    let brand = if self.v("metadata-stale") && BRANDS[*b].1 == "Grit+" { "Grit Original" } else { BRANDS[*b].1 };
                    format!("[{},{},{},{}]", s(TREE[self.subs[*sub].0].0), s(self.subs[*sub].1), s(BRANDS[*b].0), s(brand))
                }).collect();
                self.table(op, &HashMap::from([("limit".into(), "500".into())]), "\"CTGRY_NM\",\"SUBCTGRY_NM\",\"MFR_NM\",\"BRAND_NM\"", rows, "")
            }
            "BrandPerformance" => {
                let seventh = self.v("state-every-7th") && self.count("brand") % 7 == 0;
                let mut rows = Vec::new();
                for (n, ((sub, b), f)) in self.cells.iter().enumerate() {
                    let (c, x, (m, brand)) = (TREE[self.subs[*sub].0].0, self.subs[*sub].1, BRANDS[*b]);
                    let crosses = self.v("filter-sub-crosses") && !q.contains_key("f_ctgry");
                    let none = self.v("brand-filter-empty") && q.get("f_brand").is_some_and(|t| t == "Forge 9");
                    if none || !has("f_ctgry", c) || !crosses && !has("f_sub", x) || !has("f_mfr", m) || !has("f_brand", brand) { continue }
                    let mut f = *f;
                    if self.v("figure-negative") && n == 61 { f[0] = -f[0] }
                    let line = line(&[c, x, m, brand], &f, "Total US", if self.v("pct-percent") && n == 100 { 100 } else { 1 }, base);
                    rows.push(if self.v("figure-thousands") && n == 47 { line.replace(&money(f[2]), &money(f[2] / 1000)) } else { line });
                }
                if seventh && rows.len() > 1 { rows.remove(0); }
                self.table(op, q, &format!("\"CTGRY_NM\",\"SUBCTGRY_NM\",\"MFR_NM\",\"BRAND_NM\",{figures}"), rows, "")
            }
            "CategoryPerformance" => {
                let mut sums: BTreeMap<usize, [i64; 4]> = BTreeMap::new();
                for ((sub, _), f) in &self.cells { let z = sums.entry(*sub).or_insert([0; 4]); for i in 0..4 { z[i] += f[i] } }
                if self.v("sum-off") { sums.get_mut(&9).unwrap()[1] += 70_000 }
                let mut rows: Vec<String> = sums.iter().filter(|(sub, _)| has("f_ctgry", TREE[self.subs[**sub].0].0) && has("f_sub", self.subs[**sub].1))
                    .map(|(sub, f)| line(&[TREE[self.subs[*sub].0].0, self.subs[*sub].1], f, if self.v("market-one-row") && *sub == 14 { "Total World" } else { "Total US" }, 1, base)).collect();
                if self.v("category-row-twice") && rows.len() > 6 { rows.push(rows[6].clone()) }
                self.table(op, q, &format!("\"CTGRY_NM\",\"SUBCTGRY_NM\",{figures}"), rows, "")
            }
            _ => Err(Reply(404, "path".into())),
        }
    }

    fn group_a(&mut self, get: bool, op: &str, q: &Q) -> Result<Reply, Reply> {
        if get != (op.starts_with("get") || op == "testService") { return Err(Reply(405, "method".into())) }
        let kind = match op { "createlist" => "Prospect", "drive" => "Drive", "executeReport" => "Report", "fileenhancement" => "FileEnhancement", "importLocation" | "updateLocation" => "Location", "mapExport" => "MapExport", "pullVariable" => "PullVar", _ => "" };
        if !kind.is_empty() { self.jobs.push((kind.into(), 0)); return Ok(Reply(if self.o("post-201") { 201 } else { 200 }, format!("{{\"job\":{}}}", 70_000 + self.jobs.len()))) }
        if let Some(kind) = op.strip_prefix("get").and_then(|t| t.strip_suffix("JobStatus")) {
            if !["Prospect", "Drive", "Report", "FileEnhancement", "Location", "MapExport", "PullVar"].contains(&kind) { return Err(Reply(404, "path".into())) }
            let id: usize = q.get("job").and_then(|t| t.parse().ok()).ok_or(Reply(400, "job".into()))?;
            let (cross, latest) = (self.v("job-cross"), self.v("job-latest") && kind == "PullVar");
            let newer = self.jobs.iter().rposition(|j| j.0 == kind);
            let job = id.checked_sub(70_001).and_then(|k| self.jobs.get_mut(k)).filter(|j| cross || j.0 == kind).ok_or(Reply(404, "job".into()))?;
            if latest && newer != Some(id - 70_001) { return Err(Reply(500, "overwritten".into())) }
            job.1 += 1;
            let n = job.1;
            let state = if self.v("job-never-final") && kind == "Drive" { 1 } else if n < 2 { 1 } else if self.v("job-failed-number") && kind == "Report" { 9 } else { 2 };
            return Ok(Reply(200, format!("{{\"job\":{id},\"state\":{state}}}")))
        }
        let doc = match op { "businesscount" if !self.v("op-missing") => "{\"count\":5521}", "createSurvey" => "{\"survey\":1}", "getAllProspectFilters" => "{\"columns\":[\"ID\",\"NAME\"],\"rows\":[[1,\"Income\"],[2,\"Age\"]]}",
            "getSaveMap" => "{\"map\":1}", "getSaveThematicId" => "{\"thematic\":2}", "testService" => "{\"alive\":true}", _ => return Err(Reply(404, "path".into())) };
        Ok(Reply(200, doc.into()))
    }

    // Group B: the id of a node is the path of digits from its catalogue: catalogue 5, dimension 51, attribute 5111, its value 51112 …
    fn group_b(&mut self, op: &str, f: &Q) -> Result<Reply, Reply> {
        const CATS: [(&str, &str, &[&str]); 3] = [("5", "Hardlines", &["Item", "Store", "Measure"]), ("6", "Softlines", &["Item", "Measure"]), ("7", "Online", &["Item", "Week", "Measure"])];
        let unknown = || Reply(404, "id".into());
        let items = |parent: &str, tag: &str, n: usize, name: &str| (1..=n).map(|k| (format!("{parent}{tag}{k}"), format!("{name} {k}"), parent.to_string())).collect::<Vec<_>>();
        let id = |k: &str| f.get(k).cloned().unwrap_or_default();
        let c = id("catalogueId");
        let rows = if op == "Catalogues" { CATS.iter().filter(|x| c.is_empty() || x.0 == c).map(|x| (x.0.to_string(), x.1.to_string(), String::new())).collect() } else {
            let cat = CATS.iter().find(|x| x.0 == c).ok_or_else(unknown)?;
            // Size of a list depends on the place, so that no two catalogues agree by chance.
            let size = |p: &str| 2 + p.bytes().map(|b| b as usize).sum::<usize>() % 3;
            let dims: Vec<_> = cat.2.iter().enumerate().map(|(k, n)| (format!("{c}{}", k + 1), n.to_string(), c.clone())).collect();
            let within = |t: &str, tags: &[&str]| t.starts_with(c.as_str()) && dims.iter().any(|d| t.strip_prefix(d.0.as_str()).is_some_and(|r| {
                let mut rest = r;
                let mut path = d.0.clone();
                for tag in tags { let Some(x) = rest.strip_prefix(tag) else { return false }; let Some(n) = x.bytes().next().filter(|b| b.is_ascii_digit()) else { return false };
                    if (n - b'0') as usize > size(&path) || n == b'0' { return false } path = format!("{path}{tag}{}", n - b'0'); rest = &x[1..] }
                rest.is_empty() }));
            let known = |k: &str, tags: &[&str]| { let t = id(k); if within(&t, tags) { Ok(t) } else { Err(Reply(404, "id".into())) } };
            match op.trim_start_matches("Catalogue/") {
                "LogicalDimensions" => dims.clone(),
                "RefreshDates" => return Ok(Reply(200, format!("{{\"catalogueId\":{c},\"refreshDate\":{}}}", s(&us_date(if c == "6" { 7 } else { 0 }))))),
                "Dimension/Attributes" => { let d = known("dimensionId", &[])?; let mut r = items(&d, "1", size(&d), "Attribute"); if self.v("b-attribute-of-other") && c == "6" { r.push(("5111".into(), "Attribute 1".into(), d.clone())) } r }
                "Dimension/Groups" => { let d = known("dimensionId", &[])?; items(&d, "2", size(&d), "Group") }
                "Dimension/Hierarchies" => { let d = known("dimensionId", &[])?; items(&d, "3", size(&d), "Hierarchy") }
                "Dimension/Rows" => { let d = known("dimensionId", &[])?; if self.v("b-same-rows") { items("51", "9", 3, "Row") } else { items(&d, "9", size(&d), &format!("Row of {}", cat.1)) } }
                "Attribute/Values" => { let a = known("attributeId", &["1"])?; if self.v("b-value-missing") && a == "7112" { return Err(unknown()) } items(&a, "4", size(&a), "Value") }
                "Group/Levels" => { let g = known("groupId", &["2"])?; let mut r = items(&g, "5", size(&g), "Level"); if self.v("b-parent-wrong") && g.ends_with('2') { for x in &mut r { x.2 = format!("{}1", &g[..3]) } } r }
                "Hierarchy/Levels" => { let h = known("hierarchyId", &["3"])?; items(&h, "6", size(&h), "Level") }
                "Group/Level/Values" => { let g = known("groupId", &["2"])?; let l = known("levelId", &["2", "5"])?; if !l.starts_with(&g) { return Err(unknown()) } items(&l, "7", size(&l), "Value") }
                "Hierarchy/Level/Values" => { let h = known("hierarchyId", &["3"])?; let l = known("levelId", &["3", "6"])?;
                    if self.v("b-hierarchy-cross") { let first = format!("{}1{}", &h[..3], &l[4..]); items(&first, "8", 2, "Value") } else if !l.starts_with(&h) { return Err(unknown()) } else { items(&l, "8", size(&l), "Value") } }
                "Measure/SharePrompts" => { if self.v("auth-one-op-refuses") { return Err(Reply(401, "token".into())) } let m = id("measureId"); let d = &dims.last().unwrap().0;
                    if !items(d, "9", size(d), "").iter().any(|r| r.0 == m) { return Err(unknown()) } items(&m, "0", 2, "Share prompt") }
                _ => return Err(Reply(404, "path".into())),
            }
        };
        let rows: Vec<_> = rows.iter().map(|(i, n, p)| if p.is_empty() { format!("[{i},{},null]", s(n)) } else { format!("[{i},{},{p}]", s(n)) }).collect();
        let extra = if c.is_empty() { String::new() } else { format!("\"catalogueId\":{c},") };
        Ok(Reply(200, format!("{{{extra}\"columns\":[\"ID\",\"NAME\",\"PARENT\"],\"rows\":[{}]}}", rows.join(","))))
    }

    fn answer(&mut self, method: &str, target: &str, auth: &str, body: &str) -> Reply {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let Some((_, token)) = TOKENS.iter().find(|t| path.starts_with(t.0)) else { return Reply(404, "path".into()) };
        if auth != format!("Token {token}") { return Reply(401, "token".into()) }
        let (get, q) = (method == "GET" || method == "HEAD", pairs(query));
        if !get && method != "POST" { return Reply(405, "method".into()) }
        let meta = "/RetailMeasurement/BrandPerformance/Metadata";
        let path = if self.v("path-no-version") { if path == meta { "/RetailMeasurement/v1/BrandPerformance/Metadata" } else if path.ends_with("/Metadata") { return Reply(404, "path".into()) } else { path } } else { path };
        let r = if let Some(op) = path.strip_prefix("/webservices/") { self.group_a(get, op, &q) }
        else if let Some(op) = path.strip_prefix("/data-access/v1/") { if get { Err(Reply(405, "method".into())) } else { self.group_b(op, &pairs(body)) } }
        else if let Some(op) = path.strip_prefix("/PLATFORMAPI/prodRef/v1/") { if get != !(self.v("op-method") && op == "updateProducts") { Err(Reply(405, "method".into())) } else { self.group_c(op, &q) } }
        else if let Some(op) = path.strip_prefix("/RetailMeasurement/v1/") { if !get { Err(Reply(405, "method".into())) } else { self.group_d(op, &q) } }
        else { Err(Reply(404, "path".into())) };
        r.unwrap_or_else(|e| e)
    }
}

/// A gzip member of stored blocks.
fn gzip(data: &[u8]) -> Vec<u8> {
    let mut out = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    let chunks: Vec<_> = data.chunks(65_535).collect();
    for (i, c) in chunks.iter().enumerate() {
        out.push((i + 1 == chunks.len()) as u8);
        out.extend((c.len() as u16).to_le_bytes());
        out.extend((!(c.len() as u16)).to_le_bytes());
        out.extend(*c);
    }
    let mut crc = !0u32;
    for b in data { crc ^= *b as u32; for _ in 0..8 { crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 } } }
    out.extend((!crc).to_le_bytes());
    out.extend((data.len() as u32).to_le_bytes());
    out
}
fn serve(stream: TcpStream, world: Arc<Mutex<World>>) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut input = BufReader::new(stream.try_clone()?);
    let mut output = stream;
    loop {
        let mut first = String::new();
        if input.read_line(&mut first)? == 0 { return Ok(()) }
        let (mut h, mut line) = (HashMap::new(), String::new());
        while input.read_line(&mut line)? > 2 { if let Some((k, v)) = line.split_once(':') { h.insert(k.to_lowercase(), v.trim().to_string()); } line.clear() }
        let mut body = vec![0; h.get("content-length").and_then(|t| t.parse().ok()).unwrap_or(0)];
        input.read_exact(&mut body)?;
        let mut parts = first.split(' ');
        let (method, target) = (parts.next().unwrap_or(""), parts.next().unwrap_or("/"));
        let zip = h.get("accept-encoding").is_some_and(|t| t.contains("gzip"));
        let mut w = world.lock().unwrap();
        let Reply(status, mut text) = w.answer(method, target, h.get("authorization").map_or("", |t| t), &String::from_utf8_lossy(&body));
        if w.v("state-gzip") && !zip { if let (Some(i), true) = (text.rfind(",["), text.starts_with("{\"weekEnding")) { if let Some(j) = text[i..].find(']') { text.replace_range(i..i + j + 1, "") } } }
        let (close, zip) = (w.o("connection-close"), zip && !w.o("no-gzip") && status == 200);
        drop(w);
        let body = if zip { gzip(text.as_bytes()) } else { text.into_bytes() };
        let kind = if status < 300 { "application/json" } else { "text/plain" };
        let head = format!("HTTP/1.1 {status} -\r\nContent-Type: {kind}\r\n{}{}Vary: Accept-Encoding\r\n{}\r\n", if zip { "Content-Encoding: gzip\r\n" } else { "" }, if close { "Connection: close\r\n" } else { "" },
            if status == 204 { String::new() } else { format!("Content-Length: {}\r\n", body.len()) });
        output.write_all(&[head.as_bytes(), if method == "HEAD" || status == 204 { &[] } else { &body }].concat())?;
        if close { return Ok(()) }
    }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let arg = |n: &str| a.iter().position(|x| x == n).and_then(|i| a.get(i + 1)).map_or("", |t| t.as_str());
    if a.iter().any(|x| x == "--list") {
        for (n, g, c, t) in VIOLATIONS { println!("violation\t{n}\t{g}\t{c}\t{t}") }
        for (n, t) in ODDITIES { println!("oddity\t{n}\tABCD\t\t{t}") }
        return;
    }
    let (v, o) = (arg("--violation"), arg("--oddity"));
    assert!(v.is_empty() || VIOLATIONS.iter().any(|x| x.0 == v), "unknown violation");
    assert!(o.is_empty() || ODDITIES.iter().any(|x| x.0 == o), "unknown oddity");
    let world = Arc::new(Mutex::new(World::new(v, o)));
    let listener = TcpListener::bind(("127.0.0.1", arg("--port").parse::<u16>().unwrap_or(0))).expect("listen");
    println!("listening on http://{}", listener.local_addr().unwrap());
    for stream in listener.incoming().flatten() { let w = world.clone(); std::thread::spawn(move || { let _ = serve(stream, w); }); }
}
