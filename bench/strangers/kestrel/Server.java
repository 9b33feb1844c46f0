// Kestrel Commerce Data: HAL (`_embedded`, `_links.next`), a bearer token, codes in rows and their names in other answers.
import com.sun.net.httpserver.*;
import java.io.*;
import java.net.*;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.*;
import java.util.concurrent.Executors;
import java.util.regex.*;
import java.util.stream.*;

public class Server {
  static final String[][] VIOLATIONS = {
    {"op-missing", "A", "operation", "testService is not there"},
    {"op-get-refused", "A", "operation", "getPullVarJobStatus is POST only"},
    {"op-plural-path", "C", "operation", "the look-up is served below /product/ only"},
    {"op-b-get", "B", "operation", "Catalogue/Dimension/Rows is GET only"},
    {"filter-case", "C", "relation", "the filter by one category also returns another category that starts alike"},
    {"filter-one-short", "C", "rows", "the list of the biggest category lacks one product in its middle"},
    {"filter-first-page-only", "C", "rows", "a filtered list ends after its first page"},
    {"bulk-page-lost", "C", "rows", "the link of page 4 leads to page 6"},
    {"bulk-unknown-category", "C", "rows", "two products carry a category code that allCategories lacks"},
    {"upc-twelve-letters", "C", "values", "one UPC has the letter O in place of a zero"},
    {"code-name-swapped", "CD", "relation", "allCategories swaps the names of two codes"},
    {"delta-misses-new", "C", "relation", "products that are new are in no delta"},
    {"delta-old-row", "C", "relation", "the 13 week delta has a product changed half a year ago"},
    {"delta-edge-13", "C", "relation", "the 13 week window begins three days too early"},
    {"delta-windows-same", "C", "relation", "all three windows return the same"},
    {"delta-ghost", "C", "relation", "the delta has a product that was never delivered and that no look-up knows, as modified"},
    {"lookup-other-same-category", "C", "relation", "the look-up of 1 in 50 returns another product of its category, under the asked UPC in the link only"},
    {"lookup-404-last-page", "C", "rows", "products of the last page are unknown to the look-up"},
    {"lookup-500-brand", "C", "error in success", "the look-up of one product in 30 is 200 with a problem in the body"},
    {"category-empty-in-error", "C", "error in success", "the filter by the category with a slash is 500"},
    {"total-off", "C", "totals", "totalElements of the list of one category is one short"},
    {"pages-off", "C", "totals", "totalElements of the bulk list counts removed products, too"},
    {"figure-12-below-4", "D", "values", "one row of CategoryPerformance has L12W below L4W"},
    {"pct-truncated-base", "D", "values", "CHG is relative to the 12 weeks in rows of one manufacturer"},
    {"pct-missing-sign", "D", "values", "falling sales show a positive CHG"},
    {"market-region", "D", "values", "the rows of the last page are of the market Total US - West"},
    {"window-missing", "D", "values", "rows of the last brand have no L52W"},
    {"metadata-extra-brand", "D", "relation", "the metadata lists a brand without performance"},
    {"metadata-lacks-subcategory", "D", "relation", "the metadata lacks one sub-category"},
    {"sum-off", "D", "relation", "L4W of one category row is not the sum of its brands"},
    {"manufacturer-ignored", "D", "relation", "the manufacturer filter works on the first page only"},
    {"filter-by-prefix", "D", "relation", "the brand filter also matches longer names"},
    {"state-alternating", "C", "state", "the look-up of some products alternates between found and not found"},
    {"state-order", "C", "state", "after a delta of 13 weeks the delta of 1 week is that of 13"},
    {"state-drift", "D", "state", "L4W of every row grows by 1 with each reading"},
    {"job-shared-state", "A", "jobs", "a finished export job makes all export jobs finished"},
    {"job-swapped", "A", "jobs", "the status of one drive job shows the ref of the other"},
    {"job-forgotten", "A", "jobs", "a report job is unknown after its second poll"},
    {"job-state-unheard", "A", "jobs", "prospect jobs end in a state that is not in the list of states"},
    {"job-unknown-ok", "A", "jobs", "an unknown ref has status PENDING"},
    {"b-other-catalogue", "B", "group B", "Dimension/Groups of the second catalogue returns items of the first"},
    {"b-values-ignore-attribute", "B", "group B", "Attribute/Values always returns those of the first attribute"},
    {"b-dangling", "B", "group B", "one listed group is unknown to Group/Levels"},
    {"b-up-wrong", "B", "group B", "items of one hierarchy level name another parent"},
    {"b-unknown-catalogue", "B", "group B", "an unknown catalogue gets the dimensions of the first"},
    {"auth-one-op-refuses", "C", "credentials", "the delta refuses the token"},
  };
  static final String[][] ODDITIES = {
    {"order-by-call", "rows come in an order that changes with each call"}, {"size-clamped", "pages hold 25 rows at most"},
    {"moved", "every path of group D moves for good (308) to the same path with ?v=1"}, {"type-plain", "the content type is text/plain"},
    {"delisted", "a reload comes with the look-up of three products, which are gone: 404"}, {"look-up-knows-more", "the look-up knows products that left the list"},
    {"lower-case-refs", "job refs come in upper case and are found in any"}, {"reload", "between the tenth and eleventh reading of the delta the data week changes"},
  };
  static String V = "", O = "";
  static final LocalDate DAY = LocalDate.of(2026, 11, 15);
  static boolean v(String n) { return V.equals(n); }
  static boolean o(String n) { return O.equals(n); }

  record Product(String upc, String name, int sub, int brand, int age, int first, boolean fresh, String flavour, int weight) {}
  static final String[][] TREE = {
    {"C10", "Bakery", "Bread", "Rolls", "Cakes"}, {"C11", "Bakery & Deli", "Sandwiches", "Salads"}, {"C20", "Milk/Dairy", "Milk", "Yogurt", "Cheese"},
    {"C30", "Fruit, Fresh", "Apples", "Citrus"}, {"C40", "Señor Snacks", "Nachos", "Dips"}, {"C50", "Home #1", "Paper", "Cleaning"}, {"C60", "Beer?", "Ale", "Lager"},
    {"C70", "Vitamins 50+", "Multi", "Single"}, {"C80", "Ice Cream", "Tubs", "Cones"}};
  static final List<String[]> SUBS = new ArrayList<>();   // category index, code, name
  static final String[][] BRANDS = {
    {"B1", "Alder", "M1", "Alder & Ash"}, {"B2", "Alder Lite", "M1", "Alder & Ash"}, {"B3", "Briar", "M2", "Briar plc"}, {"B4", "Briar Bio", "M2", "Briar plc"},
    {"B5", "Cobnut", "M3", "Cob/Nut"}, {"B6", "Dewberry", "M4", "Dew Holdings"}, {"B7", "Elm", "M4", "Dew Holdings"}, {"B8", "Fir", "M5", "Fir"}, {"B9", "Gorse", "M6", "Gorse (US)"}};
  static final List<Product> PRODUCTS = new ArrayList<>();
  static final List<Product> GONE = new ArrayList<>();
  static final Map<String, Product> BY = new HashMap<>();
  static final Map<List<Integer>, long[]> CELLS = new TreeMap<>(Comparator.comparing(Object::toString));

  static Product make(int i) {
    String upc = String.format("%012d", i % 7 == 0 ? 99_000L + i * 131L : 65_400_000_000L + i * 3_000_017L);
    boolean fresh = i % 10 == 3;
    int age = i * 59 % 363;
    return new Product(upc, "Item " + i, i * 3 % SUBS.size(), i * 2 % BRANDS.length, age, fresh ? age : 380 + i, fresh, List.of("Natural", "Cherry", "Salted").get(i % 3), 50 + i % 450);
  }
  static void data() {
    for (int c = 0; c < TREE.length; c++) for (int s = 2; s < TREE[c].length; s++) SUBS.add(new String[] {"" + c, TREE[c][0] + "-" + (s - 1), TREE[c][s]});
    for (int i = 1; i <= 820; i++) PRODUCTS.add(make(i));
    for (int i = 901; i <= 905; i++) GONE.add(make(i));
    for (Product p : PRODUCTS) {
      BY.put(p.upc, p);
      long[] f = CELLS.computeIfAbsent(List.of(p.sub, p.brand), k -> new long[1]);
      f[0] += 700 + Long.parseLong(p.upc.substring(6)) % 5000;
    }
    int n = 0;
    for (var e : CELLS.entrySet()) {
      long f = e.getValue()[0], y = f * 12 + 31L * ++n;
      e.setValue(new long[] {f, f * 3 - n, y, y * (70 + n % 70) / 100});
    }
  }
  static String cat(Product p) { return TREE[Integer.parseInt(SUBS.get(p.sub)[0])][0]; }

  // Catalogues: opaque ids, each of one catalogue, made from the place in the tree.
  record Node(String id, String name, String up, String kind, Map<String, List<Node>> kids) {}
  static final List<Node> CATALOGUES = new ArrayList<>();
  static final Map<String, Node> NODES = new HashMap<>();
  static Node node(String place, String name, String up, String kind) {
    Node n = new Node(Integer.toHexString(place.hashCode() | 0x40000000), name, up, kind, new LinkedHashMap<>());
    if (NODES.put(n.id, n) != null) throw new IllegalStateException("two nodes have one id");
    return n;
  }
  static void add(Node to, String list, Node n) { to.kids.computeIfAbsent(list, k -> new ArrayList<>()).add(n); }
  static void catalogues() {
    String[][] all = {{"kc-one", "Total Store", "Product", "Geography", "Measures"}, {"kc-two", "Fresh", "Product", "Time", "Measures"}, {"kc-three", "Test \"Lab\"", "Measures"}};
    for (String[] a : all) {
      Node c = new Node(a[0], a[1], null, "catalogue", new LinkedHashMap<>());
      CATALOGUES.add(c);
      for (int d = 2; d < a.length; d++) {
        Node dim = node(a[0] + a[d], a[d], c.id, "dimension");
        add(c, "dimensions", dim);
        for (int k = 1; k <= 2; k++) {
          String at = dim.id + k;
          Node attr = node("a" + at, a[d] + " attribute " + k, dim.id, "attribute"), g = node("g" + at, a[d] + " group " + k, dim.id, "group"), h = node("h" + at, a[d] + " hierarchy " + k, dim.id, "hierarchy");
          add(dim, "attributes", attr); add(dim, "groups", g); add(dim, "hierarchies", h);
          for (int x = 1; x <= k + 2; x++) add(attr, "values", node("v" + attr.id + x, attr.name + " " + x + " of " + a[1], attr.id, "value"));
          for (Node p : List.of(g, h)) for (int l = 1; l <= k + 1; l++) {
            Node lev = node("l" + p.id + l, p.name + " level " + l, p.id, "level");
            add(p, "levels", lev);
            for (int x = 1; x <= l + k; x++) add(lev, "values", node("w" + lev.id + x, lev.name + " value " + x, lev.id, "value"));
          }
        }
        for (int x = 1; x <= 4 + d; x++) add(dim, "rows", node("r" + dim.id + x, a[d] + " row " + x + " (" + a[1] + ")", dim.id, "row"));
      }
    }
  }

  // JSON writing: maps, lists, strings, numbers.
  static String json(Object x) {
    if (x == null) return "null";
    if (x instanceof Map<?, ?> m) return m.entrySet().stream().map(e -> json(e.getKey().toString()) + ":" + json(e.getValue())).collect(Collectors.joining(",", "{", "}"));
    if (x instanceof Collection<?> l) return l.stream().map(Server::json).collect(Collectors.joining(",", "[", "]"));
    if (x instanceof String s) return '"' + s.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    return x.toString();
  }
  static Map<String, Object> map(Object... kv) {
    Map<String, Object> m = new LinkedHashMap<>();
    for (int i = 0; i < kv.length; i += 2) m.put((String) kv[i], kv[i + 1]);
    return m;
  }
  static class Problem extends RuntimeException { final int status; Problem(int s, String m) { super(m); status = s; } }
  static final Map<String, Integer> SEEN = new HashMap<>();
  static int count(String k) { return SEEN.merge(k, 1, Integer::sum); }

  static Object hal(String base, Map<String, String> q, String list, List<?> rows, Map<String, Object> more) {
    int page, size;
    try { page = Integer.parseInt(q.getOrDefault("page", "0")); size = Integer.parseInt(q.getOrDefault("size", list.equals("performance") ? "20" : "80")); } catch (NumberFormatException e) { throw new Problem(422, "page and size are numbers"); }
    if (page < 0 || size < 1) throw new Problem(422, "page or size out of range");
    size = Math.min(size, o("size-clamped") ? 25 : 300);
    List<Object> all = new ArrayList<>(rows);
    int from = Math.min(all.size(), page * size), to = Math.min(all.size(), from + size);
    List<Object> part = new ArrayList<>(all.subList(from, to));
    if (o("order-by-call")) Collections.shuffle(part, new Random(count("order")));
    if (v("market-region") && list.equals("performance") && to == all.size() && page > 0) part.replaceAll(r -> { Map<String, Object> m = new LinkedHashMap<>((Map<String, Object>) r); m.put("market", "Total US - West"); return m; });
    int total = all.size(), pages = (all.size() + size - 1) / size;
    if (v("total-off") && "C20".equals(more.get("categoryCode"))) total--;
    if (v("pages-off") && list.equals("products") && !more.containsKey("categoryCode")) total += GONE.size();
    Map<String, Object> links = map("self", map("href", base + "?" + query(q, page)));
    int next = page + 1;
    if (v("bulk-page-lost") && list.equals("products") && page == 3) next++;
    boolean ends = v("filter-first-page-only") && more.containsKey("categoryCode") && list.equals("products");
    if (next < pages && !ends) links.put("next", map("href", base + "?" + query(q, next)));
    Map<String, Object> doc = new LinkedHashMap<>(more);
    doc.put("_links", links);
    doc.put("_embedded", map(list, part));
    doc.put("page", map("number", page, "size", size, "totalElements", total, "totalPages", pages));
    return doc;
  }
  static String query(Map<String, String> q, int page) {
    Map<String, String> m = new LinkedHashMap<>(q);
    m.put("page", "" + page);
    return m.entrySet().stream().map(e -> e.getKey() + "=" + URLEncoder.encode(e.getValue(), StandardCharsets.UTF_8)).collect(Collectors.joining("&"));
  }

  static LocalDate today() { return SEEN.containsKey("gone") || o("reload") && SEEN.getOrDefault("delta", 0) > 10 ? DAY.plusDays(7) : DAY; }
  static int age(Product p) { return today() == DAY ? p.age : p.age + 7; }
  static Object groupC(String op, Map<String, String> q) {
    if (op.equals("updateProducts")) count("delta");
    String base = "/PLATFORMAPI/prodRef/v1/" + op, week = today().toString();
    if (op.equals("allCategories")) {
      List<Object> rows = new ArrayList<>();
      for (String[] t : TREE) {
        String name = v("code-name-swapped") ? t[0].equals("C30") ? "Ice Cream" : t[0].equals("C80") ? "Fruit, Fresh" : t[1] : t[1];
        rows.add(map("code", t[0], "label", name, "segments", IntStream.range(2, t.length).mapToObj(s -> map("code", t[0] + "-" + (s - 1), "label", t[s])).toList()));
      }
      return map("dataWeekEnding", week, "_embedded", map("categories", rows));
    }
    if (op.equals("allProducts")) {
      String name = q.get("category");
      if (v("category-empty-in-error") && "Milk/Dairy".equals(name)) throw new Problem(500, "internal");
      String code = name == null ? null : Arrays.stream(TREE).filter(t -> t[1].equals(name)).map(t -> t[0]).findFirst().orElse("-");
      List<Product> ps = new ArrayList<>(PRODUCTS.stream().filter(p -> !SEEN.containsKey("gone") || !List.of("Item 6", "Item 401", "Item 820").contains(p.name)).filter(p -> code == null || cat(p).equals(code) || v("filter-case") && code.equals("C10") && cat(p).equals("C11")).toList());
      if (v("filter-one-short") && "C20".equals(code)) ps.remove(ps.size() / 2);
      List<Map<String, Object>> rows = new ArrayList<>();
      for (Product p : ps) {
        String upc = v("upc-twelve-letters") && p.name.equals("Item 602") ? p.upc.replaceFirst("0(?!.*0)", "O") : p.upc;
        String c = v("bulk-unknown-category") && (p.name.equals("Item 300") || p.name.equals("Item 611")) ? "C99" : cat(p);
        rows.add(map("gtin", upc, "title", p.name, "categoryCode", c, "segmentCode", SUBS.get(p.sub)[1], "brandCode", BRANDS[p.brand][0], "country", "US",
          "introduced", DAY.minusDays(p.first) + "T00:00:00Z", "modified", DAY.minusDays(p.age) + "T06:30:00Z", "_links", map("self", map("href", "/PLATFORMAPI/prodRef/v1/products/" + p.upc))));
      }
      return hal(base, q, "products", rows, code == null ? map("dataWeekEnding", week) : map("dataWeekEnding", week, "categoryCode", code));
    }
    if (op.equals("updateProducts")) {
      if (v("auth-one-op-refuses")) throw new Problem(401, "token not accepted");
      String period = q.getOrDefault("period", "1w");
      Integer weeks = Map.of("1w", 1, "4w", 4, "13w", 13).get(period);
      if (weeks == null) throw new Problem(422, "period is 1w, 4w or 13w");
      if (v("state-order")) { if (weeks == 13) SEEN.put("13", 1); else if (weeks == 1 && SEEN.remove("13") != null) weeks = 13; }
      int days = v("delta-windows-same") ? 28 : weeks * 7 + (v("delta-edge-13") && weeks == 13 ? 3 : 0);
      List<Product> ps = new ArrayList<>(PRODUCTS.stream().filter(p -> age(p) < days && !(v("delta-misses-new") && p.fresh)).toList());
      if (v("delta-old-row") && weeks == 13) PRODUCTS.stream().filter(p -> p.age == 182).findFirst().ifPresent(ps::add);
      if (v("delta-ghost")) ps.add(make(950));
      List<Object> rows = new ArrayList<>();
      for (Product p : ps) rows.add(map("gtin", p.upc, "action", p.fresh && !p.name.equals("Item 950") ? "ADDED" : "MODIFIED", "effective", DAY.minusDays(p.age) + "T06:30:00Z", "values", map("flavour", p.flavour)));
      for (Product p : GONE) if (p.age % 80 < days) rows.add(map("gtin", p.upc, "action", "DELETED", "effective", DAY.minusDays(p.age % 80) + "T06:30:00Z"));
      return hal(base, q, "changes", rows, map("dataWeekEnding", week, "period", period));
    }
    String look = v("op-plural-path") ? "product/" : "products/";
    if (op.startsWith(look)) {
      String upc = op.substring(look.length());
      if (!upc.matches("\\d{12}")) throw new Problem(422, "a gtin has 12 digits");
      Product p = BY.get(upc);
      if (p == null && (o("look-up-knows-more"))) p = GONE.stream().filter(g -> g.upc.equals(upc)).findFirst().orElse(null);
      int k = PRODUCTS.indexOf(p);
      if (o("delisted") && (k == 5 || k == 400 || k == 819)) { SEEN.put("gone", 1); p = null; }
      if (v("lookup-404-last-page") && k >= 800) p = null;
      if (v("state-alternating") && k % 5 == 1 && count(upc) % 2 == 0) p = null;
      if (p == null) throw new Problem(404, "no product " + upc);
      if (v("lookup-500-brand") && k % 30 == 4) return map("type", "about:blank", "title", "backend timeout", "status", 504);
      if (v("lookup-other-same-category") && k % 50 == 11) p = PRODUCTS.get(k + SUBS.size() < 820 ? k + SUBS.size() : k - SUBS.size());
      return map("_links", map("self", map("href", base)), "dataWeekEnding", week, "gtin", p.upc, "title", p.name, "categoryCode", cat(p), "brandCode", BRANDS[p.brand][0], "introduced", DAY.minusDays(p.first) + "T00:00:00Z",
        "modified", DAY.minusDays(p.age) + "T06:30:00Z", "characteristics", map("flavour", p.flavour, "weight", p.weight + " g", "segment", SUBS.get(p.sub)[1], "manufacturer", BRANDS[p.brand][3]));
    }
    throw new Problem(404, "no such resource");
  }

  static Map<String, Object> sales(Map<String, Object> row, long[] f, boolean category, boolean m4) {
    long d12 = v("figure-12-below-4") && category && "C40-2".equals(row.get("segmentCode")) ? f[0] - 50 : f[1];
    double base = v("pct-truncated-base") && m4 ? f[1] : f[3], pct = (f[2] - f[3]) / base * 100;
    if (v("pct-missing-sign")) pct = Math.abs(pct);
    long l4 = f[0] + (v("state-drift") ? count("drift-" + row) : 0) + (v("sum-off") && category && "C70-1".equals(row.get("segmentCode")) ? 640 : 0);
    Map<String, Object> s = map("L4W", "" + l4, "L12W", "" + d12, "L52W", "" + f[2], "LY", "" + f[3], "CHG", String.format(Locale.ROOT, "%.2f", pct));
    if (v("window-missing") && "B9".equals(row.get("brandCode"))) s.remove("L52W");
    row.put("market", "Total US");
    row.put("sales", s);
    return row;
  }
  static Object groupD(String op, Map<String, String> q) {
    String base = "/RetailMeasurement/v1/" + op;
    Map<String, Object> more = map("dataWeekEnding", DAY.toString());
    if (op.equals("BrandPerformance/Metadata")) {
      List<Object> cats = new ArrayList<>(), mans = new ArrayList<>();
      for (String[] t : TREE) cats.add(map("code", t[0], "name", t[1], "segments", IntStream.range(2, t.length).filter(s -> !(v("metadata-lacks-subcategory") && t[s].equals("Citrus"))).mapToObj(s -> map("code", t[0] + "-" + (s - 1), "name", t[s])).toList()));
      Map<String, List<Object>> by = new LinkedHashMap<>();
      for (String[] b : BRANDS) by.computeIfAbsent(b[2] + "|" + b[3], k -> new ArrayList<>()).add(map("code", b[0], "name", b[1]));
      if (v("metadata-extra-brand")) by.get("M5|Fir").add(map("code", "B77", "name", "Fir Reserve"));
      by.forEach((k, b) -> mans.add(map("code", k.split("\\|")[0], "name", k.split("\\|")[1], "brands", b)));
      more.put("_embedded", map("categories", cats, "manufacturers", mans));
      return more;
    }
    List<Object> rows = new ArrayList<>();
    boolean brand = op.equals("BrandPerformance");
    if (!brand && !op.equals("CategoryPerformance")) throw new Problem(404, "no such resource");
    Map<Integer, long[]> sums = new TreeMap<>();
    for (var e : CELLS.entrySet()) {
      String[] s = SUBS.get(e.getKey().get(0)), t = TREE[Integer.parseInt(s[0])], b = BRANDS[e.getKey().get(1)];
      boolean mOff = v("manufacturer-ignored") && !q.getOrDefault("page", "0").equals("0");
      if (!q.getOrDefault("category", t[1]).equals(t[1]) || !q.getOrDefault("subCategory", s[2]).equals(s[2])) continue;
      if (brand && (!mOff && !q.getOrDefault("manufacturer", b[3]).equals(b[3]) || !(v("filter-by-prefix") ? b[1].startsWith(q.getOrDefault("brand", b[1])) : q.getOrDefault("brand", b[1]).equals(b[1])))) continue;
      if (brand) rows.add(sales(map("categoryCode", t[0], "segmentCode", s[1], "manufacturerCode", b[2], "brandCode", b[0]), e.getValue(), false, b[2].equals("M4")));
      else { long[] z = sums.computeIfAbsent(e.getKey().get(0), k -> new long[4]); for (int i = 0; i < 4; i++) z[i] += e.getValue()[i]; }
    }
    sums.forEach((k, z) -> rows.add(sales(map("categoryCode", TREE[Integer.parseInt(SUBS.get(k)[0])][0], "segmentCode", SUBS.get(k)[1]), z, true, false)));
    return hal(base, q, "performance", rows, more);
  }

  static final Map<String, String> STARTS = Map.of("createlist", "Prospect", "drive", "Drive", "executeReport", "Report", "fileenhancement", "FileEnhancement", "importLocation", "Location", "updateLocation", "Location", "mapExport", "MapExport", "pullVariable", "PullVar");
  static final Map<String, int[]> JOBS = new LinkedHashMap<>();
  static Object groupA(String method, String op, Map<String, String> q, String[] location) {
    boolean read = op.startsWith("get") || op.equals("testService");
    if (v("op-get-refused") && op.equals("getPullVarJobStatus")) read = false;
    if (read != method.equals("GET")) throw new Problem(405, "method");
    if (STARTS.containsKey(op)) {
      String kind = STARTS.get(op), ref = Integer.toHexString((kind + JOBS.size()).hashCode()) + "-" + kind.charAt(0) + JOBS.size();
      if (o("lower-case-refs")) ref = ref.toUpperCase();
      JOBS.put(kind + " " + ref, new int[1]);
      location[0] = "/webservices/get" + kind + "JobStatus?ref=" + ref;
      return map("jobRef", ref, "status", "PENDING");
    }
    switch (op) {
      case "businesscount": return map("total", 9120);
      case "createSurvey": return map("surveyRef", "KS-1");
      case "getAllProspectFilters": return map("_embedded", map("filters", List.of(map("code", "INC", "name", "Income"), map("code", "AGE", "name", "Age"))));
      case "getSaveMap": return map("mapRef", "KM-1");
      case "getSaveThematicId": return map("thematicRef", "KT-1");
      case "testService": if (!v("op-missing")) return map("ok", true);
    }
    if (!op.matches("get\\w+JobStatus") || !STARTS.containsValue(op.substring(3, op.length() - 9))) throw new Problem(404, "no such service");
    String kind = op.substring(3, op.length() - 9), ref = q.get("ref");
    if (ref == null) throw new Problem(422, "ref is missing");
    String key = JOBS.keySet().stream().filter(k -> o("lower-case-refs") ? k.equalsIgnoreCase(kind + " " + ref) : k.equals(kind + " " + ref)).findFirst().orElse(null);
    if (key == null && v("job-unknown-ok")) return map("jobRef", ref, "status", "PENDING");
    if (key == null || v("job-forgotten") && kind.equals("Report") && JOBS.get(key)[0] >= 2) throw new Problem(404, "no job " + ref);
    int n = ++JOBS.get(key)[0];
    if (v("job-shared-state") && kind.equals("MapExport") && JOBS.entrySet().stream().anyMatch(e -> e.getKey().startsWith(kind) && e.getValue()[0] > 1)) n = 2;
    String shown = key.substring(kind.length() + 1);
    if (v("job-swapped") && kind.equals("Drive")) shown = JOBS.keySet().stream().filter(k -> k.startsWith(kind)).reduce((a, b) -> b).get().substring(kind.length() + 1);
    String end = v("job-state-unheard") && kind.equals("Prospect") ? "MAYBE" : "SUCCEEDED";
    return map("jobRef", shown, "status", n > 1 ? end : "PROCESSING");
  }

  static String member(String body, String of) {
    Matcher m = Pattern.compile("\"" + of + "\"\\s*:\\s*\\{\\s*\"id\"\\s*:\\s*\"([^\"]*)\"").matcher(body);
    return m.find() ? m.group(1) : null;
  }
  static Node pick(String catalogue, String body, String kind) {
    Node n = NODES.get(member(body, kind));
    if (n == null || !n.kind.equals(kind)) throw new Problem(404, "no such " + kind);
    for (Node up = n; ; up = NODES.get(up.up)) if (up.kind.equals("dimension")) { if (up.up.equals(catalogue)) return n; throw new Problem(404, "no such " + kind); }
  }
  static Object groupB(String op, String body) {
    String id = member(body, "catalogue");
    if (op.equals("Catalogues")) return items(CATALOGUES.stream().filter(c -> id == null || c.id.equals(id)).toList());
    if (id == null) throw new Problem(422, "catalogue.id is missing");
    Node cat = CATALOGUES.stream().filter(c -> c.id.equals(id)).findFirst().orElse(v("b-unknown-catalogue") ? CATALOGUES.get(0) : null);
    if (cat == null) throw new Problem(404, "no such catalogue");
    String c = cat.id;
    switch (op.replace("Catalogue/", "")) {
      case "LogicalDimensions": return items(cat.kids.get("dimensions"));
      case "RefreshDates": return map("catalogue", c, "refreshDate", DAY.minusDays(c.equals("kc-two") ? 7 : 0).toString());
      case "Dimension/Attributes": return items(pick(c, body, "dimension").kids.get("attributes"));
      case "Dimension/Groups":
        Node dim = pick(c, body, "dimension");
        return items(v("b-other-catalogue") && c.equals("kc-two") ? CATALOGUES.get(0).kids.get("dimensions").get(0).kids.get("groups") : dim.kids.get("groups"));
      case "Dimension/Hierarchies": return items(pick(c, body, "dimension").kids.get("hierarchies"));
      case "Dimension/Rows": return items(pick(c, body, "dimension").kids.get("rows"));
      case "Attribute/Values":
        Node attr = pick(c, body, "attribute");
        return items((v("b-values-ignore-attribute") ? NODES.get(attr.up).kids.get("attributes").get(0) : attr).kids.get("values"));
      case "Group/Levels":
        Node g = pick(c, body, "group");
        if (v("b-dangling") && g.name.equals("Time group 2")) throw new Problem(404, "no such group");
        return items(g.kids.get("levels"));
      case "Group/Level/Values": pick(c, body, "group"); return items(pick(c, body, "level").kids.get("values"));
      case "Hierarchy/Levels": return items(pick(c, body, "hierarchy").kids.get("levels"));
      case "Hierarchy/Level/Values": {
        Node h = pick(c, body, "hierarchy");
        List<Node> vals = pick(c, body, "level").kids.get("values");
        return items(v("b-up-wrong") && h.name.endsWith("2") ? vals.stream().map(n -> new Node(n.id, n.name, h.id, n.kind, n.kids)).toList() : vals);
      }
      case "Measure/SharePrompts":
        Node m = NODES.get(member(body, "measure"));
        if (m == null || !m.kind.equals("row") || !NODES.get(m.up).name.equals("Measures") || !NODES.get(m.up).up.equals(c)) throw new Problem(404, "no such measure");
        return map("_embedded", map("items", List.of(map("id", m.id + "s", "name", "Share of category", "up", m.id), map("id", m.id + "t", "name", "Share of total", "up", m.id))));
    }
    throw new Problem(404, "no such resource");
  }
  static Object items(List<Node> nodes) {
    return map("_embedded", map("items", (nodes == null ? List.<Node>of() : nodes).stream().map(n -> n.up == null ? map("id", n.id, "name", n.name) : map("id", n.id, "name", n.name, "up", n.up)).toList()));
  }

  static synchronized void handle(HttpExchange x) throws IOException {
    String body = new String(x.getRequestBody().readAllBytes(), StandardCharsets.UTF_8), path = x.getRequestURI().getRawPath(), method = x.getRequestMethod(), location[] = {null};
    boolean head = method.equals("HEAD");
    if (head) method = "GET";
    Map<String, String> q = new LinkedHashMap<>();
    if (x.getRequestURI().getRawQuery() != null) for (String p : x.getRequestURI().getRawQuery().split("&")) { String[] kv = p.split("=", 2); q.put(kv[0], kv.length > 1 ? URLDecoder.decode(kv[1], StandardCharsets.UTF_8) : ""); }
    int status = 200;
    Object doc;
    try {
      if (!"Bearer kst-7f21".equals(x.getRequestHeaders().getFirst("Authorization"))) throw new Problem(401, "a bearer token is required");
      if (path.startsWith("/webservices/")) { doc = groupA(method, path.substring(13), q, location); if (location[0] != null) status = 202; }
      else if (path.startsWith("/data-access/v1/")) {
        String op = path.substring(16);
        if (!method.equals(v("op-b-get") && op.endsWith("Rows") ? "GET" : "POST")) throw new Problem(405, "method");
        doc = groupB(op, body);
      } else if (path.startsWith("/PLATFORMAPI/prodRef/v1/") || path.startsWith("/RetailMeasurement/v1/")) {
        if (!method.equals("GET")) throw new Problem(405, "method");
        boolean d = path.startsWith("/Ret");
        if (d && o("moved") && !q.containsKey("v")) { location[0] = path + "?" + (x.getRequestURI().getRawQuery() == null ? "" : x.getRequestURI().getRawQuery() + "&") + "v=1"; doc = map(); status = 308; }
        else doc = d ? groupD(path.substring(22), q) : groupC(path.substring(24), q);
      } else throw new Problem(404, "no such resource");
    } catch (Problem p) {
      status = p.status;
      doc = map("type", "about:blank", "title", p.getMessage(), "status", status);
    }
    byte[] out = json(doc).getBytes(StandardCharsets.UTF_8);
    Headers h = x.getResponseHeaders();
    h.set("Content-Type", o("type-plain") ? "text/plain" : status >= 400 ? "application/problem+json" : "application/hal+json");
    if (location[0] != null) h.set("Location", location[0]);
    x.sendResponseHeaders(status, head ? -1 : out.length);
    if (!head) x.getResponseBody().write(out);
    x.close();
  }

  public static void main(String[] a) throws Exception {
    int port = 0;
    for (int i = 0; i < a.length; i++) switch (a[i]) {
      case "--port" -> port = Integer.parseInt(a[++i]);
      case "--violation" -> V = a[++i];
      case "--oddity" -> O = a[++i];
      case "--list" -> {
        for (String[] r : VIOLATIONS) System.out.println("violation\t" + String.join("\t", r));
        for (String[] r : ODDITIES) System.out.println("oddity\t" + r[0] + "\tABCD\t\t" + r[1]);
        return;
      }
    }
    if (!V.isEmpty() && Arrays.stream(VIOLATIONS).noneMatch(r -> v(r[0])) || !O.isEmpty() && Arrays.stream(ODDITIES).noneMatch(r -> o(r[0]))) throw new IllegalArgumentException("unknown violation or oddity");
    data();
    catalogues();
    System.setProperty("sun.net.httpserver.nodelay", "true");
    HttpServer s = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 64);
    s.createContext("/", Server::handle);
    s.setExecutor(Executors.newFixedThreadPool(8));
    s.start();
    System.out.println("listening on http://127.0.0.1:" + s.getAddress().getPort());
  }
}
