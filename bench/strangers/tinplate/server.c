/* Tinplate Flat Files: CSV without pages for products and performance, key=value text for jobs, the key in the query,
 * JSON in and CSV out for catalogues, windows in days, a percent sign nowhere. One process, one poll loop. */
#include <arpa/inet.h>
#include <ctype.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

static const char *VIOLATIONS[][4] = {
  {"op-missing", "A", "operation", "createSurvey is not there"},
  {"op-method", "A", "operation", "getAllProspectFilters is POST only"},
  {"op-version", "B", "operation", "group B's RefreshDates is served below /v2/ only"},
  {"filter-ignored-last", "C", "relation", "the filter by the last category is ignored"},
  {"filter-comma-cut", "C", "relation", "a filter value with a comma is cut at the comma and finds nothing"},
  {"filter-foreign-row", "C", "rows", "the list of one category has one row whose look-up names another"},
  {"bulk-twice", "C", "rows", "one product comes twice in the bulk list"},
  {"bulk-truncated", "C", "rows", "the bulk list ends after 250 rows while categories have more"},
  {"bulk-inactive", "C", "relation", "the bulk list has products last sold two years ago"},
  {"upc-eleven", "C", "values", "UPCs with one leading zero lose it in the bulk list"},
  {"upc-exponent", "C", "values", "one UPC is 8.84E+11"},
  {"market-wrong", "C", "values", "one product is of the market UK"},
  {"delta-misses-one", "C", "relation", "the 28 day delta lacks one changed product"},
  {"delta-has-unchanged", "C", "relation", "the 7 day delta has a product that changed 100 days ago"},
  {"delta-edge", "C", "relation", "the 28 day window begins a day too late"},
  {"delta-91-missing", "C", "error in success", "the 91 day delta is 500"},
  {"delta-flag-wrong", "C", "values", "all rows of the delta are called added"},
  {"lookup-other", "C", "relation", "the look-up of products with leading zeros returns the product without"},
  {"lookup-404-some", "C", "rows", "15 listed products are 404"},
  {"lookup-message-in-200", "C", "error in success", "the look-up of 1 in 25 products is 200 with a message"},
  {"lookup-empty", "C", "rows", "the look-up of products of one category has no characteristics"},
  {"category-missing", "C", "relation", "allCategories lacks one category"},
  {"category-500", "C", "error in success", "one category's filter is 500"},
  {"figures-swapped", "D", "values", "in one category 4-week and 12-week dollars are swapped"},
  {"pct-base", "D", "values", "the change is relative to this year in the rows of one sub-category"},
  {"pct-rounded-wrong", "D", "values", "the change of the rows of one sub-category is 1 point off"},
  {"market-last-row", "D", "values", "the last row of BrandPerformance is of the market Total Mexico"},
  {"metadata-lacks", "D", "relation", "the metadata lacks the manufacturer of the smallest brand"},
  {"metadata-extra", "D", "relation", "the metadata lists a category without performance"},
  {"sum-off", "D", "relation", "one category row is 1 percent above the sum of its brand rows"},
  {"manufacturer-filter-off", "D", "relation", "the manufacturer filter is ignored for one value"},
  {"filter-ands-lost", "D", "relation", "with brand and category the category is ignored"},
  {"state-second-shorter", "C", "state", "the second reading of one category's list lacks a row"},
  {"state-last-filter", "D", "state", "the metadata shows the category that was last filtered only"},
  {"state-after-job", "AD", "state", "figures change once a job was started"},
  {"job-other", "A", "jobs", "the status of any export job is the one of the last"},
  {"job-lost", "A", "jobs", "a third job of any kind makes the first unknown"},
  {"job-unknown-known", "A", "jobs", "unknown ids are DONE"},
  {"job-flips", "A", "jobs", "a prospect job is DONE, then FAILED"},
  {"b-catalogue-ignored", "B", "group B", "Dimension/Groups has the groups of catalogue HOME in all catalogues"},
  {"b-level-of-other", "B", "group B", "Hierarchy/Levels lists one level of another hierarchy"},
  {"b-unlisted-catalogue", "B", "group B", "a catalogue that is listed is unknown to LogicalDimensions"},
  {"b-attribute-unknown", "B", "group B", "the second attribute of a dimension has no values: 404"},
  {"auth-one-op-refuses", "C", "credentials", "allCategories refuses the key"},
};
static const char *ODDITIES[][2] = {
  {"order-random", "rows come in another order each time"}, {"crlf-bom", "a byte order mark and CRLF"}, {"empty-404", "an empty delta is 404"}, {"delisted", "a reload comes with the look-up of two products, which are gone: 410"},
  {"quote-all", "every field is quoted"}, {"text-html", "the content type is text/html"}, {"lag", "the delta is of the week before, and says so"},
};
static const char *V = "", *O = "";
static int v(const char *n) { return !strcmp(V, n); }
static int o(const char *n) { return !strcmp(O, n); }

/* ---- data ---- */
typedef struct { const char *name, *subs[3]; } Category;
static const Category CATS[] = {{"Chips, Salted", {"Potato", "Corn", 0}}, {"Cookies & Bars", {"Cookies", "Bars", "Wafers"}}, {"Dog/Cat", {"Dry", "Wet", 0}}, {"Juice 100%", {"Apple", "Grape", 0}},
  {"Jalapeño Dips", {"Mild", "Hot", 0}}, {"\"Fun\" Size", {"Minis", "Packs", 0}}, {"Rice + Grain", {"White", "Brown", "Wild"}}, {"Yogurt", {"Plain", "Fruit", 0}}};
enum { NC = 8, NB = 8, NP = 360 };
static const char *BRANDS[NB][2] = {{"Acre & Co", "Acre"}, {"Acre & Co", "Acre Gold"}, {"Birch, Inc.", "Birch"}, {"Coast", "Coast"}, {"Coast", "Coast Light"}, {"Dale's", "Dale's Best"}, {"Eddy/Ford", "Eddy"}, {"Eddy/Ford", "Ford"}};
typedef struct { char upc[13]; int cat, sub, brand, age, first, added; } Product;
typedef struct { int cat, sub, brand; long f[4]; } Cell;
static Product P[NP];
static Cell CELL[512];
static int nsub(int c) { return CATS[c].subs[2] ? 3 : 2; }
static int ncell, gone; /* gone: 7 days after the reload that removes two products */
static void data(void) {
  for (int i = 0; i < NP; i++) {
    Product *p = &P[i];
    long n = i % 6 == 1 ? 5000000L + i * 771 : i % 6 == 4 ? 70400000000L + i * 40009L : 800100000000L + i * 7000013L;
    snprintf(p->upc, 13, "%012ld", n);
    p->cat = i * 3 % NC; p->sub = i / NC % nsub(p->cat); p->brand = i * 5 / 3 % NB;
    p->added = i % 11 == 0; p->age = i * 47 % 360; p->first = p->added ? p->age : 450 + i;
    int k = 0;
    while (k < ncell && (CELL[k].cat != p->cat || CELL[k].sub != p->sub || CELL[k].brand != p->brand)) k++;
    if (k == ncell) { CELL[k].cat = p->cat; CELL[k].sub = p->sub; CELL[k].brand = p->brand; ncell++; }
    CELL[k].f[0] += 500 + n % 8009;
  }
  for (int k = 0; k < ncell; k++) { long *f = CELL[k].f; f[1] = f[0] * 3 + k; f[2] = f[0] * 13 - k; f[3] = f[2] * (68 + k % 71) / 100; }
}
static const char *day(int age) {
  static char buf[8][16]; static int n;
  time_t t = 1794614400L + 43200 - age * 86400L; /* 2026-11-14 */
  char *b = buf[n++ % 8];
  strftime(b, 16, "%Y-%m-%d", gmtime(&t));
  return b;
}

/* ---- answers ---- */
static char *out; static size_t len, cap; static int status; static const char *type;
static void say(const char *fmt, ...) {
  va_list a;
  if (cap - len < 4096) out = realloc(out, cap = cap * 2 + 65536);
  va_start(a, fmt); len += vsnprintf(out + len, cap - len, fmt, a); va_end(a);
}
static void fail(int code, const char *text) { status = code; len = 0; say("ERR %d %s\n", code, text); type = "text/plain"; }
static char *line[2048]; static int nlines;
static void csv(int n, ...) { /* one row; kept apart so that it can be ordered */
  char buf[1024], *b = buf; va_list a;
  va_start(a, n);
  for (int i = 0; i < n; i++) {
    const char *t = va_arg(a, const char *);
    int q = o("quote-all") || strpbrk(t, ",\"\n") != 0;
    if (i) *b++ = ',';
    if (q) *b++ = '"';
    for (; *t; t++) { if (*t == '"') *b++ = '"'; *b++ = *t; }
    if (q) *b++ = '"';
  }
  va_end(a); *b = 0;
  line[nlines++] = strdup(buf);
}
static unsigned rnd = 7;
static void flush(const char *head) {
  const char *nl = o("crlf-bom") ? "\r\n" : "\n";
  say("%s%s%s", o("crlf-bom") ? "\xef\xbb\xbf" : "", head, nl);
  if (o("order-random")) for (int i = nlines - 1; i > 0; i--) { int j = (rnd = rnd * 1103515245u + 12345) / 65536 % (i + 1); char *t = line[i]; line[i] = line[j]; line[j] = t; }
  for (int i = 0; i < nlines; i++) { say("%s%s", line[i], nl); free(line[i]); }
  nlines = 0;
}
static const char *fmt(const char *f, ...) { static char buf[16][64]; static int n; char *b = buf[n++ % 16]; va_list a; va_start(a, f); vsnprintf(b, 64, f, a); va_end(a); return b; }
static char query[4096], body[65536];
static int hex(int c) { return isdigit(c) ? c - '0' : tolower(c) - 'a' + 10; }
static const char *param(const char *name) { /* the value of a query parameter, or 0 */
  static char buf[8][512]; static int n; size_t l = strlen(name);
  for (char *p = query; p && *p; p = strchr(p, '&'), p = p ? p + 1 : 0) if (!strncmp(p, name, l) && p[l] == '=') {
    char *b = buf[n++ % 8], *w = b;
    for (p += l + 1; *p && *p != '&' && w < b + 500; p++) if (*p == '%' && p[1] && p[2]) { *w++ = hex(p[1]) * 16 + hex(p[2]); p += 2; } else *w++ = *p == '+' ? ' ' : *p;
    *w = 0;
    return b;
  }
  return 0;
}
static const char *member(const char *name) { /* the value of a string member of the JSON body, or "" */
  static char buf[8][128]; static int n; char key[64];
  snprintf(key, sizeof key, "\"%s\"", name);
  char *p = strstr(body, key), *b = buf[n++ % 8], *w = b;
  if (p && (p = strchr(p + strlen(key), ':')) && (p = strchr(p, '"'))) for (p++; *p && *p != '"' && w < b + 120; p++) *w++ = *p;
  *w = 0;
  return b;
}
static const char *as_of(int age) { static char b[64]; snprintf(b, sizeof b, "X-Data-Date: %s\r\n", day(age)); return b; }
static const char *extra_head = "";

static void group_c(const char *op) {
  extra_head = as_of(-gone);
  if (!strcmp(op, "allCategories")) {
    if (v("auth-one-op-refuses")) { fail(403, "key"); return; }
    for (int c = 0; c < NC; c++) if (!(v("category-missing") && c == 3)) for (int s = 0; s < nsub(c); s++) csv(2, CATS[c].name, CATS[c].subs[s]);
    flush("category,subcategory");
  } else if (!strcmp(op, "allProducts")) {
    const char *c = param("category");
    static int second;
    if (c && v("category-500") && !strcmp(c, "Dog/Cat")) { fail(500, "backend"); return; }
    if (c && v("filter-ignored-last") && !strcmp(c, "Yogurt")) c = 0;
    int cut = c && v("filter-comma-cut") && strchr(c, ','), n = 0;
    for (int i = 0; i < NP; i++) {
      Product *p = &P[i];
      int foreign = c && v("filter-foreign-row") && !strcmp(c, "Rice + Grain") && i == 100;
      if (gone && (i == 20 || i == 300) || cut || c && strcmp(c, CATS[p->cat].name) && !foreign || !c && v("bulk-truncated") && n >= 250) continue;
      const char *upc = v("upc-eleven") && p->upc[0] == '0' && p->upc[1] != '0' ? p->upc + 1 : v("upc-exponent") && i == 201 ? "8.84E+11" : p->upc;
      const char *sold = day(v("bulk-inactive") && i % 97 == 5 ? 730 : i % 200);
      for (int twice = !c && v("bulk-twice") && i == 44; twice >= 0; twice--, n++)
        csv(9, upc, fmt("Item %d", i), foreign ? c : CATS[p->cat].name, CATS[p->cat].subs[p->sub], BRANDS[p->brand][1], v("market-wrong") && i == 333 ? "UK" : "US", day(p->first), day(p->age), sold);
    }
    if (c && v("state-second-shorter") && !strcmp(c, "Juice 100%") && second++) free(line[--nlines]);
    flush("upc,item,category,subcategory,brand,market,first_active,changed,last_sold");
  } else if (!strcmp(op, "updateProducts")) {
    const char *w = param("days");
    int days = w ? atoi(w) : 7, late = o("lag") ? 7 : -gone, hit = 0;
    extra_head = as_of(late);
    if (days != 7 && days != 28 && days != 91) { fail(400, "days is 7, 28 or 91"); return; }
    if (v("delta-91-missing") && days == 91) { fail(500, "backend"); return; }
    for (int i = 0; i < NP; i++) {
      Product *p = &P[i];
      int in = p->age >= late && p->age < days + late - (v("delta-edge") && days == 28);
      if (v("delta-has-unchanged") && days == 7 && p->age == 100) in = 1;
      if (v("delta-misses-one") && days == 28 && in && hit++ == 7) in = 0;
      if (in) csv(4, p->upc, v("delta-flag-wrong") || p->added ? "A" : "C", day(p->age), CATS[p->cat].name);
    }
      csv(4, "009999900091", "X", day(3 + late), "Yogurt");
    if (o("empty-404") && days == 7) { while (nlines) free(line[--nlines]); fail(404, "no changes"); return; }
    flush("upc,flag,changed,category");
  } else if (!strncmp(op, "products/", 9)) {
    const char *upc = op + 9;
    if (strlen(upc) != 12 || strspn(upc, "0123456789") != 12) { fail(400, "upc"); return; }
    int i = 0;
    while (i < NP && strcmp(P[i].upc, upc)) i++;
    if (i == NP || v("lookup-404-some") && i % 24 == 3) { fail(404, "upc"); return; }
    if (o("delisted") && (i == 20 || i == 300)) { gone = 7; fail(410, "delisted"); return; }
    if (v("lookup-message-in-200") && i % 25 == 8) { say("message\nplease try again later\n"); return; }
    Product *p = &P[v("lookup-other") && upc[0] == '0' ? i - 1 : i];
    csv(2, "upc", p->upc); csv(2, "category", CATS[p->cat].name);
    if (!(v("lookup-empty") && p->cat == 6)) {
      csv(2, "brand", BRANDS[p->brand][1]); csv(2, "manufacturer", BRANDS[p->brand][0]); csv(2, "segment", CATS[p->cat].subs[p->sub]);
      csv(2, "pack", fmt("%d", 1 + p->age % 12)); csv(2, "changed", day(p->age)); csv(2, "first_active", day(p->first));
    }
    flush("characteristic,value");
  } else fail(404, "path");
}
static int jobs_started;
static void group_d(const char *op) {
  const char *c = param("category"), *s = param("subcategory"), *m = param("manufacturer"), *b = param("brand"), *market = "Total US";
  static char last[64];
  extra_head = as_of(0);
  if (c) snprintf(last, sizeof last, "%s", c);
  if (!strcmp(op, "BrandPerformance/Metadata")) {
    for (int k = 0; k < ncell; k++) {
      if (v("state-last-filter") && *last && strcmp(last, CATS[CELL[k].cat].name)) continue;
      if (v("metadata-lacks") && CELL[k].brand == 2) continue;
      csv(4, CATS[CELL[k].cat].name, CATS[CELL[k].cat].subs[CELL[k].sub], BRANDS[CELL[k].brand][0], BRANDS[CELL[k].brand][1]);
    }
    if (v("metadata-extra")) csv(4, "Sparkling", "Lemon", BRANDS[0][0], BRANDS[0][1]);
    flush("category,subcategory,manufacturer,brand");
    return;
  }
  int brand = !strcmp(op, "BrandPerformance");
  if (!brand && strcmp(op, "CategoryPerformance")) { fail(404, "path"); return; }
  Cell rows[512]; int n = 0;
  for (int k = 0; k < ncell; k++) {
    Cell *x = &CELL[k];
    if (c && strcmp(c, CATS[x->cat].name) && !(b && brand && v("filter-ands-lost")) || s && strcmp(s, CATS[x->cat].subs[x->sub])) continue;
    if (brand && (m && strcmp(m, BRANDS[x->brand][0]) && !(v("manufacturer-filter-off") && !strcmp(m, "Birch, Inc.")) || b && strcmp(b, BRANDS[x->brand][1]))) continue;
    int j = n;
    if (!brand) for (j = 0; j < n && (rows[j].cat != x->cat || rows[j].sub != x->sub); j++);
    if (j == n) { rows[n] = *x; n++; } else for (int i = 0; i < 4; i++) rows[j].f[i] += x->f[i];
  }
  for (int k = 0; k < n; k++) {
    Cell *x = &rows[k]; long *f = x->f;
    if (v("figures-swapped") && x->cat == 4) { long t = f[0]; f[0] = f[1]; f[1] = t; }
    if (!brand && v("sum-off") && x->cat == 6 && x->sub == 1) f[2] += f[2] / 100;
    if (v("state-after-job") && jobs_started && k % 3 == 0) f[0] += 11;
    double base = v("pct-base") && x->cat == 6 && x->sub == 1 ? f[2] : f[3], pct = (f[2] - f[3]) / base * 100;
    if (v("pct-rounded-wrong") && x->cat == 1 && x->sub == 2) pct += 1;
    market = v("market-last-row") && brand && k == n - 1 && n > 20 ? "Total Mexico" : "Total US";
    if (brand) csv(10, CATS[x->cat].name, CATS[x->cat].subs[x->sub], BRANDS[x->brand][0], BRANDS[x->brand][1], market, fmt("%ld", f[0]), fmt("%ld", f[1]), fmt("%ld", f[2]), fmt("%ld", f[3]), fmt("%.2f", pct));
    else csv(8, CATS[x->cat].name, CATS[x->cat].subs[x->sub], market, fmt("%ld", f[0]), fmt("%ld", f[1]), fmt("%ld", f[2]), fmt("%ld", f[3]), fmt("%.2f", pct));
  }
  flush(brand ? "category,subcategory,manufacturer,brand,market,usd_4w,usd_12w,usd_52w,usd_ly,chg" : "category,subcategory,market,usd_4w,usd_12w,usd_52w,usd_ly,chg");
}

static struct { const char *op, *kind; } STARTS[] = {{"createlist", "Prospect"}, {"drive", "Drive"}, {"executeReport", "Report"}, {"fileenhancement", "FileEnhancement"}, {"importLocation", "Location"}, {"updateLocation", "Location"}, {"mapExport", "MapExport"}, {"pullVariable", "PullVar"}};
static struct { char id[40]; const char *kind; int polls, lost; } jobs[4096];
static void group_a(int get, const char *op) {
  int read = !strncmp(op, "get", 3) || !strcmp(op, "testService");
  if (v("op-method") && !strcmp(op, "getAllProspectFilters")) read = 0;
  if (get != read) { fail(405, "method"); return; }
  type = "text/plain";
  for (size_t i = 0; i < sizeof STARTS / sizeof *STARTS; i++) if (!strcmp(op, STARTS[i].op)) {
    int same = 0, j = jobs_started++ % 4096;
    for (int k = 0; k < j; k++) if (jobs[k].kind == STARTS[i].kind) same++;
    if (v("job-lost") && same >= 2) for (int k = 0; k < j; k++) if (jobs[k].kind == STARTS[i].kind) { jobs[k].lost = 1; break; }
    jobs[j].kind = STARTS[i].kind; jobs[j].polls = jobs[j].lost = 0;
    snprintf(jobs[j].id, 40, "TP %s+%03d", STARTS[i].kind, j + 1);
    say("JOB=%s\nSTATE=NEW\n", jobs[j].id);
    return;
  }
  if (!strcmp(op, "businesscount")) { say("COUNT=771\n"); return; }
  if (!strcmp(op, "createSurvey") && !v("op-missing")) { say("SURVEY=1\n"); return; }
  if (!strcmp(op, "testService")) { say("SERVICE=UP\n"); return; }
  if (!strcmp(op, "getAllProspectFilters")) { say("1=Income\n2=Age\n"); return; }
  if (!strcmp(op, "getSaveMap")) { say("MAP=4\n"); return; }
  if (!strcmp(op, "getSaveThematicId")) { say("THEMATIC=6\n"); return; }
  for (size_t i = 0; i < sizeof STARTS / sizeof *STARTS; i++) if (!strcmp(op, fmt("get%sJobStatus", STARTS[i].kind))) {
    const char *id = param("job"), *kind = STARTS[i].kind;
    int found = -1, newest = -1;
    if (!id) { fail(400, "job"); return; }
    for (int k = 0; k < jobs_started; k++) if (!strcmp(jobs[k].kind, kind)) { newest = k; if (!strcmp(jobs[k].id, id) && !jobs[k].lost) found = k; }
    if (found < 0 && v("job-unknown-known")) { say("JOB=%s\nSTATE=DONE\n", id); return; }
    if (found < 0) { fail(404, "job"); return; }
    if (v("job-other") && !strcmp(kind, "MapExport")) found = newest;
    int n = ++jobs[found].polls;
    say("JOB=%s\nSTATE=%s\n", jobs[found].id, n < 2 ? "RUN" : v("job-flips") && n > 2 && !strcmp(kind, "Prospect") ? "FAILED" : "DONE");
    return;
  }
  fail(404, "path");
}

/* Group B: an id is the path of names from its catalogue, e.g. HOME.item.h2.l1 */
static const char *CATALOGUES[][5] = {{"HOME", "Home & Hearth", "item", "place", "fact"}, {"SNACK", "Snacks", "item", "fact", 0}, {"XMAS", "Season \"26\"", "item", "week", "fact"}};
static void list(const char *parent, const char *tag, int n, const char *cat) { for (int k = 1; k <= n; k++) csv(3, fmt("%s.%s%d", parent, tag, k), fmt("%s %s %d", cat, tag, k), parent); }
static int known(const char *id, int c, const char *tags) { /* CAT.dim(.tagN)* with each N within the length of its list */
  int dims = CATALOGUES[c][4] ? 3 : 2; const char *p = 0;
  for (int d = 0; d < dims; d++) { const char *at = fmt("%s.%s", CATALOGUES[c][0], CATALOGUES[c][2 + d]); if (!strncmp(id, at, strlen(at)) && (!id[strlen(at)] || id[strlen(at)] == '.')) p = id + strlen(at); }
  for (; p && *tags; tags++) { if (p[0] != '.' || p[1] != *tags || p[2] < '1' || p[2] > '2' + (*tags == 'r' || *tags == 'l' ? c : 0)) return 0; p += 3; }
  return p && !*p;
}
static void group_b(const char *op) {
  const char *id = member("catalogue"), *dim = member("dimension"), *attr = member("attribute"), *grp = member("group"), *hier = member("hierarchy"), *lev = member("level"), *mea = member("measure");
  int c = 0;
  if (!strcmp(op, "Catalogues")) { for (c = 0; c < 3; c++) if (!*id || !strcmp(id, CATALOGUES[c][0])) csv(3, CATALOGUES[c][0], CATALOGUES[c][1], ""); flush("id,name,parent"); return; }
  while (c < 3 && strcmp(id, CATALOGUES[c][0])) c++;
  if (!*id) { fail(400, "catalogue"); return; }
  if (c == 3) { fail(404, "catalogue"); return; }
  const char *cat = CATALOGUES[c][0];
  op += strncmp(op, "Catalogue/", 10) ? 0 : 10;
  if (!strcmp(op, "LogicalDimensions")) {
    if (v("b-unlisted-catalogue") && c == 2) { fail(404, "catalogue"); return; }
    for (int d = 2; d < 5 && CATALOGUES[c][d]; d++) csv(3, fmt("%s.%s", cat, CATALOGUES[c][d]), CATALOGUES[c][d], cat);
  } else if (!strcmp(op, "RefreshDates")) { csv(3, cat, day(c * 7), cat); flush("id,refreshed,parent"); return; }
  else if (!strncmp(op, "Dimension/", 10)) {
    if (!known(dim, c, "")) { fail(404, "dimension"); return; }
    if (!strcmp(op + 10, "Attributes")) list(dim, "a", 2, cat);
    else if (!strcmp(op + 10, "Groups")) list(v("b-catalogue-ignored") ? "HOME.item" : dim, "g", 2, v("b-catalogue-ignored") ? "HOME" : cat);
    else if (!strcmp(op + 10, "Hierarchies")) list(dim, "h", 2, cat);
    else if (!strcmp(op + 10, "Rows")) list(dim, "r", 2 + c, cat);
    else { fail(404, "path"); return; }
  } else if (!strcmp(op, "Attribute/Values")) {
    if (!known(attr, c, "a") || v("b-attribute-unknown") && attr[strlen(attr) - 1] == '2') { fail(404, "attribute"); return; }
    list(attr, "v", 3 + c, cat);
  } else if (!strncmp(op, "Group/", 6) || !strncmp(op, "Hierarchy/", 10)) {
    int h = *op == 'H'; const char *node = h ? hier : grp, *what = op + (h ? 10 : 6), *tag = h ? "h" : "g";
    if (!known(node, c, tag)) { fail(404, "node"); return; }
    if (!strcmp(what, "Levels")) { list(node, "l", 2 + c, cat); if (v("b-level-of-other") && h && c == 0) csv(3, "SNACK.item.h1.l3", "SNACK l 3", node); }
    else if (!strcmp(what, "Level/Values")) {
      if (!known(lev, c, h ? "hl" : "gl") || strncmp(lev, node, strlen(node))) { fail(404, "level"); return; }
      list(lev, "w", 2 + lev[strlen(lev) - 1] - '0', cat);
    } else { fail(404, "path"); return; }
  } else if (!strcmp(op, "Measure/SharePrompts")) {
    if (!known(mea, c, "r") || !strstr(mea, ".fact.")) { fail(404, "measure"); return; }
    list(mea, "s", 2, cat);
  } else { fail(404, "path"); return; }
  flush("id,name,parent");
}

static void answer(const char *method, char *path) {
  int get = !strcmp(method, "GET") || !strcmp(method, "HEAD"), post = !strcmp(method, "POST");
  char *q = strchr(path, '?');
  snprintf(query, sizeof query, "%s", q ? q + 1 : "");
  if (q) *q = 0;
  status = 200; len = 0; type = o("text-html") ? "text/html" : "text/csv; charset=utf-8"; extra_head = "";
  const char *key = param("apikey");
  if (!key || strcmp(key, "tin-55")) { fail(401, "apikey"); return; }
  const char *b = v("op-version") && strstr(path, "RefreshDates") ? "/data-access/v2/" : "/data-access/v1/";
  if (!strncmp(path, "/webservices/", 13)) { if (get || post) group_a(get, path + 13); else fail(405, "method"); }
  else if (!strncmp(path, b, 16)) { if (post) group_b(path + 16); else fail(405, "method"); }
  else if (!strncmp(path, "/PLATFORMAPI/prodRef/v1/", 24)) { if (get) group_c(path + 24); else fail(405, "method"); }
  else if (!strncmp(path, "/RetailMeasurement/v1/", 22)) { if (get) group_d(path + 22); else fail(405, "method"); }
  else fail(404, "path");
}
static int serve(int fd, char *in, size_t *have) { /* answers every whole request in the buffer; 0 when the buffer overflows */
  for (;;) {
    in[*have] = 0;
    char *end = strstr(in, "\r\n\r\n"), method[16], path[4096], head[512];
    if (!end) return *have < 60000;
    size_t at = end - in + 4, want = 0;
    for (char *l = in; l < end; l = strstr(l, "\r\n") + 2) if (!strncasecmp(l, "content-length:", 15)) want = atoi(l + 15);
    if (want > 60000 || at > 8000) return 0;
    if (*have < at + want) return 1;
    memcpy(body, in + at, want); body[want] = 0;
    if (sscanf(in, "%15s %4095s", method, path) != 2) return 0;
    answer(method, path);
    int n = snprintf(head, sizeof head, "HTTP/1.1 %d T\r\nContent-Type: %s\r\n%sContent-Length: %zu\r\n\r\n", status, type, extra_head, len);
    out = realloc(out, (cap = cap + n + 1));
    size_t send = strcmp(method, "HEAD") ? len : 0, all = n + send;
    memmove(out + n, out, send); memcpy(out, head, n);
    for (size_t w = 0; w < all;) { ssize_t k = write(fd, out + w, all - w); if (k <= 0) return 0; w += k; }
    memmove(in, in + at + want, *have - at - want);
    *have -= at + want;
  }
}
int main(int n, char **a) {
  int port = 0, yes = 1;
  for (int i = 1; i < n; i++) {
    if (!strcmp(a[i], "--list")) {
      for (size_t k = 0; k < sizeof VIOLATIONS / sizeof *VIOLATIONS; k++) printf("violation\t%s\t%s\t%s\t%s\n", VIOLATIONS[k][0], VIOLATIONS[k][1], VIOLATIONS[k][2], VIOLATIONS[k][3]);
      for (size_t k = 0; k < sizeof ODDITIES / sizeof *ODDITIES; k++) printf("oddity\t%s\tABCD\t\t%s\n", ODDITIES[k][0], ODDITIES[k][1]);
      return 0;
    } else if (i + 1 < n && !strcmp(a[i], "--port")) port = atoi(a[++i]);
    else if (i + 1 < n && !strcmp(a[i], "--violation")) V = a[++i];
    else if (i + 1 < n && !strcmp(a[i], "--oddity")) O = a[++i];
  }
  int ok = !*V && !*O;
  for (size_t k = 0; k < sizeof VIOLATIONS / sizeof *VIOLATIONS; k++) ok |= v(VIOLATIONS[k][0]);
  for (size_t k = 0; k < sizeof ODDITIES / sizeof *ODDITIES; k++) ok |= o(ODDITIES[k][0]);
  if (!ok) { fprintf(stderr, "unknown violation or oddity\n"); return 2; }
  signal(SIGPIPE, SIG_IGN);
  data();
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof at;
  int s = socket(AF_INET, SOCK_STREAM, 0);
  setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind(s, (void *)&at, sizeof at) || listen(s, 64)) { perror("listen"); return 1; }
  getsockname(s, (void *)&at, &size);
  printf("listening on http://127.0.0.1:%d\n", ntohs(at.sin_port));
  fflush(stdout);
  static struct pollfd f[256]; static char *in[256]; static size_t have[256]; int nf = 1;
  f[0].fd = s; f[0].events = POLLIN;
  for (;;) {
    poll(f, nf, -1);
    for (int i = nf - 1; i > 0; i--) if (f[i].revents) {
      ssize_t k = read(f[i].fd, in[i] + have[i], 65000 - have[i]);
      if (k > 0) have[i] += k;
      if (k <= 0 || !serve(f[i].fd, in[i], &have[i])) { close(f[i].fd); free(in[i]); nf--; f[i] = f[nf]; in[i] = in[nf]; have[i] = have[nf]; }
    }
    if (f[0].revents && nf < 256) { int c = accept(s, 0, 0); if (c >= 0) { setsockopt(c, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes); f[nf].fd = c; f[nf].events = POLLIN; f[nf].revents = 0; in[nf] = malloc(65536 + 1); have[nf++] = 0; } }
  }
}
