#!/usr/bin/env ruby
# ShelfScope Market Data Services - Ruby/WEBrick
require 'webrick'
require 'json'
require 'zlib'
require 'stringio'
require 'base64'
require 'uri'
CASES = <<~T.lines.map { |l| l.chomp.split('|', 5) }
  violation|op-hierlevels-missing|operation|POST Catalogue/Hierarchy/Levels answers 404 E-PATH|4.2
  violation|op-rows-get-only|operation|Catalogue/Dimension/Rows answers GET only, POST gets 405|4.2
  violation|op-categories-renamed|operation|allCategories answers only as /allCategory|4.3
  violation|op-survey-501|operation|createSurvey answers 501 to every request|4.1
  violation|op-thematic-renamed|operation|getSaveThematicId answers only as getThematicId|4.1
  violation|op-metadata-v2|operation|BrandPerformance/Metadata answers only under v2|4.4, 9
  violation|rel-lookup-brand-one|relation|the sheet of one item names another brand than the list (subtle)|4.3
  violation|rel-lookup-missing-one|relation|one listed item on a late page is unknown to the look-up (subtle)|4.3
  violation|rel-delta-unknown-one|relation|the 13-week delta carries one UPC that neither list nor look-up knows (subtle)|1, 4.3
  violation|rel-delta-nested-one|relation|one item of the 4-week delta is missing from the 13-week delta (subtle)|1, 4.3, 8
  violation|rel-delta-window-ignored|relation|the 13-week window is answered with the 4-week delta|4.3, 8
  violation|rel-filter-leak-one|relation|one category's filtered list holds one item of another category (subtle)|4.3
  violation|rel-filter-short|relation|one category's filtered list lacks its last two items (subtle)|4.3
  violation|rel-filter-ignored|relation|the category filter of allProducts is ignored|4.3
  violation|rel-brand-not-in-metadata|relation|one brand that has performance rows is not in the metadata (subtle)|4.4
  violation|rel-category-unlisted|relation|the smallest category has items in the list but is not in allCategories|4.3
  violation|rel-delta-size-one|relation|one delta row carries another size than list and sheet (subtle)|4.3
  violation|rel-perf-brand-filter-mfr|relation|the brand filter returns all rows of that brand's manufacturer|4.4
  violation|rel-brand-row-lost|relation|one brand row is missing in the unfiltered listing but present when filtered (subtle)|4.4
  violation|row-upc-13-late|rows|one UPC on the last page has 13 digits (subtle)|2, 8
  violation|row-leadzero-stripped|rows|the bulk list drops the leading zero of UPCs in one category (subtle)|2, 8
  violation|row-leadzero-lookup|rows|look-ups of UPCs that begin with 00 answer 404 (subtle)|4.3
  violation|row-market-one|rows|one brand performance row is of market 2 (subtle)|4.4, 8
  violation|row-usd12-missing-one|rows|one row of the second page lacks ss:usd12 (subtle)|4.4
  violation|row-pct-sign-one|rows|one category row has the sign of ss:pctChg turned (subtle)|4.4
  violation|row-dup-late|rows|the last page repeats an item of the first page in place of its own (subtle)|4.3
  violation|row-usd4-gt-usd12|rows|one brand row has ss:usd4 and ss:usd12 exchanged (subtle)|4.4
  violation|row-inactive-one|rows|one listed item was last sold 61 weeks ago (subtle)|1, 8
  violation|row-ly-missing-category|rows|no row of one category carries ss:usdLY|4.4
  violation|err-unknown-200|errors|an unknown UPC answers 200 with a sheet without characteristics|promise: faults
  violation|err-fault-in-success|errors|CategoryPerformance of one category answers 200 with an ss:Fault|promise: faults
  violation|err-html|errors|faults of group B are an HTML page|promise: faults
  violation|tot-items-filter|totals|X-Total-Items is one too high when the category filter is used (subtle)|promise: paging
  violation|tot-itemcount-one|totals|ss:itemCount of one category disagrees with its list (subtle)|promise: categories
  violation|tot-page-lost|totals|the fifth page starts one item late (subtle)|promise: paging, 4.3
  violation|st-delta-consumed|state|the second call of the same delta window answers an empty list|promise: repeatable
  violation|st-after-unknown|state|after a look-up of an unknown UPC allCategories answers an empty list|promise: repeatable
  violation|st-gzip-older|state|the gzip form of the bulk list lacks one item (subtle)|promise: repeatable
  violation|st-second-figure|state|from the second call on one brand row's ss:usd52 is other within the same week (subtle)|promise: repeatable
  violation|job-regress|jobs|a report job that was DONE is RUNNING at the next call|promise: job states
  violation|job-cross-kind|jobs|getDriveJobStatus answers for jobs of other kinds|promise: job numbers
  violation|job-unknown-done|jobs|an unknown location job number is answered DONE|promise: job numbers
  violation|job-same-no|jobs|two pullVariable calls get the same job number|promise: job numbers
  violation|job-count-differs|jobs|a finished list job has one record more than businesscount (subtle)|promise: lists
  violation|b-catalogue-ignored|groupB|LogicalDimensions answers for the first catalogue whatever the request says|1, 4.2
  violation|b-parent-one|groupB|one value of the second catalogue has a parent that does not exist (subtle)|2, promise: trees
  violation|b-level-ignored|groupB|Hierarchy/Level/Values answers the values of all levels|2, 4.2
  violation|b-foreign-accepted|groupB|Dimension/Attributes accepts a dimension of another catalogue|1, promise: ids
  violation|b-group-unknown-one|groupB|one group that Dimension/Groups lists is unknown to Group/Levels (subtle)|2, 4.2
  violation|b-refresh-order|groupB|RefreshDates of the last catalogue has the next refresh before the last (subtle)|promise: refresh
  violation|cred-d-open|credentials|group D answers without a key|promise: keys
  violation|cred-other-group|credentials|the key of group A opens group C|promise: keys
  violation|cred-delta-open|credentials|updateProducts alone answers without a key (subtle)|promise: keys
  violation|date-outside-one|dates|one item of the 4-week delta was changed six weeks ago (subtle)|1, 4.3
  violation|date-not-in-delta|dates|one item with ss:lastChanged two weeks ago is in no delta (subtle)|1, 4.3
  violation|date-seconds-one|dates|one delta row has ss:changedOn in seconds (subtle)|promise: dates
  violation|kind-undocumented-one|kinds|one delta row has the kind Z (subtle)|1, promise: delta
  violation|kind-new-but-old|kinds|one delta row has kind N though first sold years ago (subtle)|1, promise: delta
  oddity|odd-quiet-week|delta|nothing changed in the last week: the 1-week delta is empty|1
  oddity|odd-quiet-quarter|delta|nothing changed in 13 weeks: all three deltas are empty|1
  oddity|odd-delisted-lookup|lookup|the look-up also knows some delisted items (status X) that the list does not hold|4.3
  oddity|odd-delisted-delta|delta|the delta holds a delisted item whose STATUS changed; it is not in the list, the look-up knows it|1
  oddity|odd-429|limits|every ninth request answers 429 with Retry-After: 1|8
  oddity|odd-page-clamp|paging|page sizes above 20 are clamped to 20 without a word|8
  oddity|odd-reorder|rows|the rows of a page or answer come in another order at every call|4
  oddity|odd-redirect|transport|every call is first redirected (307) to the same address with node=2|4
  oddity|odd-2xx|transport|GET answers 203, metadata POST answers 201|7
  oddity|odd-extra-fields|rows|rows and answers carry further fields, also nested|4
  oddity|odd-bom|transport|the JSON text starts with a byte-order mark|4
  oddity|odd-chunked|transport|answers are chunked in small pieces, connection closed after each|4
  oddity|odd-head-options|operation|HEAD and OPTIONS are answered on every path|4
  oddity|odd-extra-ops|operation|further operations exist, and group B answers GET with the body in a parameter too|4
  oddity|odd-instant-jobs|jobs|jobs are DONE in the answer to the request that starts them|3
  oddity|odd-sheet-replica|lookup|every second sheet comes from a replica without as-of, which shows the size before this week's change|1
  oddity|odd-metadata-wider|metadata|metadata lists a sub-category and a brand that have no rows|4.4
  oddity|odd-new-brand|rows|one brand had no sales last year: ss:usdLY 0.00 and ss:pctChg null|4.4
T
# The groups of operations that a case touches: those of its class, its section of the document or its name, else all.
def groups_of(name, kind, statement)
  own = { 'jobs' => 'A', 'groupB' => 'B', 'dates' => 'C', 'kinds' => 'C', 'delta' => 'C', 'lookup' => 'C' }[kind]
  own ||= { '4.1' => 'A', '4.2' => 'B', '4.3' => 'C', '4.4' => 'D' }.filter_map { |k, g| g if statement.include?(k) }.join
  own.empty? ? (name =~ /delta|upc|leadzero|inactive|item|unknown-200/ ? 'C' : 'ABCD') : own
end
opt = {}
opt[ARGV.shift] = (ARGV[0] && !ARGV[0].start_with?('--')) ? ARGV.shift : true until ARGV.empty?
if opt['--list']
  CASES.each { |k, n, c, s, t| puts [k, n, groups_of(n, c, t), c, s, t].join("\t") }
  exit
end
V, O = opt['--violation'], opt['--oddity']
[['violation', V], ['oddity', O]].each { |k, n| abort "unknown #{k} #{n}" if n && CASES.none? { |c| c[0] == k && c[1] == n } }
def v(n) = V == n
def o(n) = O == n
DAY = 86_400_000
t = Time.now.utc
ASOF = (Time.utc(t.year, t.month, t.day).to_i / 86_400 - (t.wday + 1) % 7) * DAY # last Saturday
WEEK = Time.at(ASOF / 1000).utc.strftime('%G%V')
R = Random.new(4711)
SUBS = {}
CATS = [['C110', 'CARBONATED SOFT DRINKS', %w[COLA LEMON-LIME ROOT\ BEER], 62], ['C120', 'SALTY SNACKS', ['POTATO CHIPS', 'TORTILLA CHIPS', 'PRETZELS & MIXES'], 71],
        ['C130', 'YOGURT', ['GREEK YOGURT', 'DRINKABLE YOGURT'], 48], ['C140', 'READY-TO-EAT CEREAL', ['KIDS CEREAL', 'ADULT CEREAL', 'GRANOLA & MUESLI'], 57],
        ['C150', 'LAUNDRY CARE', ['LIQUID DETERGENT', 'FABRIC SOFTENER'], 44], ['C160', "BABY FOOD, CUPS & JARS", ['BABY FRUIT', 'BABY DINNERS'], 13], ['C170', 'PET FOOD', ['DRY DOG FOOD', 'WET CAT FOOD', 'PET TREATS'], 66]]
CATS.each { |c, _, subs, _| subs.each_with_index { |n, i| SUBS["S#{c[1, 2]}#{i + 1}"] = [n, c] } }
MFRS = {}; BRANDS = {}
['HARLOW BEVERAGE CO', 'PRAIRIE FOODS', 'SUNRIDGE DAIRY', 'O\'MALLEY & SONS', 'NORTH FORK MILLS', 'CLEARWATER HOME', 'PAWSOME INC', 'PRIVATE LABEL'].each_with_index do |m, i|
  MFRS["M#{10 + i}"] = m
  (i == 7 ? ['CTL BR'] : %w[ORIGINAL GOLD JUNIOR][0, 2 + i % 2]).each_with_index { |b, j| BRANDS["B#{10 + i}#{j}"] = [i == 7 ? b : "#{m.split(/[ ']/)[m.start_with?('O\'') ? 1 : 0]} #{b}", "M#{10 + i}"] }
end
def upc(n) = (s = n.to_s.rjust(11, '0')) + ((10 - s.chars.each_with_index.sum { |c, i| c.to_i * (i.even? ? 3 : 1) }) % 10).to_s
def usd(c) = format('%.2f', c / 100.0)
SUBBRANDS = SUBS.keys.to_h { |s| [s, (BRANDS.keys - ['B170']).sample(6, random: R).sort + ['B170']] }
Item = Struct.new(:upc, :text, :cat, :sub, :brand, :size, :uom, :first, :chg, :chars, :last, :status, :prev)
serial = 0
ITEMS = CATS.flat_map do |c, _, _, n|
  subs = SUBS.select { |_, x| x[1] == c }.keys
  Array.new(n) do
    serial += 1
    s = subs[serial % subs.size]; b = SUBBRANDS[s][R.rand(7)]; sz = [6, 8, 12, 16, 20, 32, 64][R.rand(7)]
    k = serial % 3 == 0 ? R.rand(14) : 14 + R.rand(120)
    k = 0 if serial % 41 == 5
    k = [k, 1].max if o('odd-quiet-week')
    k += 13 if o('odd-quiet-quarter')
    neu = serial % 4 == 0
    u = upc([R.rand(80_000_000), 1_000_000_000 + R.rand(900_000_000), 30_000_000_000 + R.rand(50_000_000_000)][serial % 3])
    Item.new(u, "#{BRANDS[b][0]} #{SUBS[s][0]} #{sz} OZ", c, s, b, sz.to_s, 'OZ', neu ? k : k + 20 + R.rand(200), k, neu ? [] : [%w[SIZE TEXT], %w[TEXT], %w[BRAND TEXT]][serial % 3], serial % 11 == 0 ? R.rand([52, k + 1].min) : 0, 'A', (sz + 2).to_s)
  end.sort_by(&:upc)
end
BYUPC = ITEMS.to_h { |i| [i.upc, i] }
abort 'upc clash' if BYUPC.size != ITEMS.size
DEAD = [3, 7].map { |k| i = ITEMS[k * 20].dup; i.upc = upc(5_550_000_000 + k); i.status = 'X'; i.chg = k - 1; i.first = 150; i.chars = ['STATUS']; i.last = 60; i }
DEAD.each { |d| BYUPC[d.upc] = d } if o('odd-delisted-lookup') || o('odd-delisted-delta')
ITEMS[170].last = 61 if v('row-inactive-one')
LATE = ITEMS[-6]
PERF = SUBS.keys.flat_map { |s| SUBBRANDS[s].map { |b| y = 40_000_000 + R.rand(900_000_000); { sub: s, brand: b, y: y, q: (y * (0.2 + R.rand * 0.06)).to_i, m: (y * (0.065 + R.rand * 0.02)).to_i, l: (y * (0.85 + R.rand * 0.3)).to_i } } }
PERF[40][:l] = 0 if o('odd-new-brand')
HIT = Hash.new(0); JOBS = {}; LOCK = Mutex.new; MAPS = { 'MAP-1' => 'Demonstration map' }; SEQ = Hash.new(1000)
# --- catalogues of group B: every id begins with its catalogue's letter
Node = Struct.new(:id, :name, :parent)
CTLG = %w[GROC-US HOME-US FRESH-US].each_with_index.to_h do |cid, i|
  x = %w[G H F][i]
  tree = lambda do |tag, names, kids|
    lv = [names.each_with_index.map { |n, j| Node.new("#{x}#{tag}#{j + 1}", n, nil) }]
    kids.each { |w, k| lv << lv[-1].flat_map { |p| Array.new(k + p.id.size % 2) { |j| Node.new("#{p.id}.#{j + 1}", "#{p.name} #{w} #{j + 1}", p.id) } } }
    lv
  end
  prods = CATS[i * 2, 3].map { |c| c[1] }
  dims = {
    "#{x}-PROD" => { name: 'Product', attrs: { "#{x}A-BRAND" => ['Brand', BRANDS.values[i * 4, 6].map(&:first)], "#{x}A-SIZE" => ['Size', %w[SMALL MEDIUM LARGE][0, 2 + i % 2]] },
                     groups: { "#{x}GR-1" => ['Health groups', [['Claim', 'Claim value'], tree.('C', %w[ORGANIC LOW-FAT], [['claim', 2]])]], "#{x}GR-2" => ['Price tiers', [['Tier'], tree.('T', %w[VALUE MAIN PREMIUM], [])]] },
                     hiers: { "#{x}H-P1" => ['Standard product', [%w[Category Sub-category Brand], tree.('P', prods, [['line', 2], ['brand', 2]])]], "#{x}H-P2" => ['By manufacturer', [%w[Manufacturer Brand], tree.('M', MFRS.values[i, 4], [['brand', 2]])]] } },
    "#{x}-MKT" => { name: 'Market', attrs: { "#{x}A-CHAN" => ['Channel', %w[FOOD DRUG MASS][0, 3 - i % 2]] }, groups: i == 2 ? {} : { "#{x}GR-3" => ['Trade areas', [['Area'], tree.('Z', %w[COAST INLAND], [])]] },
                    hiers: { "#{x}H-M1" => ['Geography', [['Nation', 'Region', 'Market'], tree.('R', ['Total US'], [['region', 4], ['market', 2]])]] } },
    "#{x}-PER" => { name: 'Period', attrs: {}, groups: {}, hiers: { "#{x}H-T1" => ['Calendar', [%w[Year Quarter], tree.('Y', %w[2024 2025 2026], [['Q', 3]])]] } }
  }
  [cid, { name: "#{%w[Grocery Household Fresh][i]} catalogue, United States", dims: dims, meas: { "#{x}M-USD" => ['Dollar sales', dims.keys[0, 2]], "#{x}M-UNIT" => ['Unit sales', dims.keys[0, 1]], "#{x}M-PCT" => ['Dollar change %', []] }, back: i } ]
end
def levels(list, id) = list[1][0].each_with_index.map { |n, k| { 'ss:levelCode' => "#{id}/L#{k + 1}", 'ss:levelName' => n, 'ss:depth' => (k + 1).to_s, 'ss:valueCount' => list[1][1][k].size.to_s } }
class Fault < StandardError
  attr_reader :st, :code
  def initialize(st, code, text) = (super(text); @st = st; @code = code)
end
def no!(st, code, text) = raise(Fault.new(st, code, text))
def ms(k) = (ASOF - k * 7 * DAY)
def char_row(i)
  { '@type' => 'ss:Item', 'ss:upc' => i.upc, 'ss:text' => i.text, 'ss:catCode' => i.cat, 'ss:subCode' => i.sub, 'ss:mfrCode' => BRANDS[i.brand][1], 'ss:brandCode' => i.brand, 'ss:size' => i.size, 'ss:uom' => i.uom,
    'ss:status' => i.status, 'ss:mktCode' => '1', 'ss:firstSold' => ms(i.first), 'ss:lastSold' => ms(i.last), 'ss:lastChanged' => ms(i.chg) }
end
def env(type, h) = { '@type' => type, 'ss:asOf' => ASOF, 'ss:week' => WEEK }.merge(h)
FILTERS = { 'F10' => ['State', %w[CA TX NY FL IL]], 'F20' => ['Industry', %w[GROCERY DRUG PET HARDWARE]], 'F30' => ['Employees', %w[1-9 10-49 50+]] }
BUSINESS = Array.new(3000) { FILTERS.transform_values { |_, vals| vals[R.rand(vals.size)] } }
KINDS = { 'drive' => 'DRV', 'executeReport' => 'REP', 'fileenhancement' => 'FEN', 'importLocation' => 'LOC', 'updateLocation' => 'LOC', 'mapExport' => 'MAP', 'pullVariable' => 'VAR', 'createlist' => 'PRO' }
NEED = { 'drive' => 'ss:sites', 'executeReport' => 'ss:reportCode', 'fileenhancement' => 'ss:fileName', 'importLocation' => 'ss:locations', 'updateLocation' => 'ss:locations', 'mapExport' => 'ss:mapName', 'pullVariable' => 'ss:variables', 'createlist' => 'ss:filters', 'businesscount' => 'ss:filters', 'createSurvey' => 'ss:surveyName' }
STATUS = { 'getDriveJobStatus' => 'DRV', 'getFileEnhancementJobStatus' => 'FEN', 'getLocationJobStatus' => 'LOC', 'getMapExportJobStatus' => 'MAP', 'getProspectJobStatus' => 'PRO', 'getPullVarJobStatus' => 'VAR', 'getReportJobStatus' => 'REP' }
POSTS = NEED.keys
class App < WEBrick::HTTPServer
  KEYS = { 'A' => ['X-Ops-Key', 'ops-7f31c2'], 'B' => ['X-Catalog-Key', 'cat-22d9e0'], 'C' => ['X-Item-Key', 'item-90ab44'], 'D' => ['X-Panel-Key', 'panel-4c1e77'] }
  def count(filters)
    no!(400, 'E-BODY', 'ss:filters is a list') unless filters.is_a?(Array)
    f = filters.map { |x| [x['ss:filterCode'], x['ss:valueCode']] }
    f.each { |c, w| no!(400, 'E-FILTER', "unknown filter #{c}=#{w}") unless FILTERS[c] && FILTERS[c][1].include?(w) }
    BUSINESS.count { |b| f.group_by(&:first).all? { |c, l| l.any? { |_, w| b[c] == w } } }
  end
  def job_view(j)
    age = Time.now.to_f - j[:at]
    st = o('odd-instant-jobs') || age > 1.2 ? 'DONE' : age > 0.4 ? 'RUNNING' : 'QUEUED'
    if v('job-regress') && j[:kind] == 'REP' && st == 'DONE'
      j[:seen] = j[:seen].to_i + 1
      st = 'RUNNING' if j[:seen] == 2
    end
    h = { '@type' => 'ss:Job', 'ss:jobNo' => j[:no], 'ss:state' => st, 'ss:percent' => { 'QUEUED' => '0', 'RUNNING' => '50', 'DONE' => '100' }[st], 'ss:submitted' => (j[:at] * 1000).to_i }
    h['ss:result'] = j[:result] if st == 'DONE'
    h
  end
  def group_a(req, op, q, body)
    if POSTS.include?(op) || op =~ /^(createSurvey|businesscount)$/
      no!(405, 'E-METHOD', 'POST only') unless req.request_method == 'POST'
      no!(501, 'E-GONE', 'not implemented') if op == 'createSurvey' && v('op-survey-501')
      no!(400, 'E-BODY', "#{NEED[op]} is required") unless body.is_a?(Hash) && body[NEED[op]]
      return [200, { '@type' => 'ss:Count', 'ss:count' => count(body['ss:filters']).to_s }] if op == 'businesscount'
      return [200, { '@type' => 'ss:Survey', 'ss:surveyNo' => "SUR-#{SEQ[:s] += 1}", 'ss:surveyName' => body['ss:surveyName'] }] if op == 'createSurvey'
      k = KINDS[op]
      res = case op
            when 'createlist' then { 'ss:listNo' => "LST-#{SEQ[:l] += 1}", 'ss:records' => (count(body['ss:filters']) + (v('job-count-differs') ? 1 : 0)).to_s }
            when 'mapExport' then m = "MAP-#{SEQ[:m] += 1}"; MAPS[m] = body['ss:mapName']; { 'ss:mapNo' => m }
            else { 'ss:fileNo' => "#{k}F-#{SEQ[:f] += 1}" }
            end
      no = v('job-same-no') && k == 'VAR' ? 'VAR-1001' : "#{k}-#{SEQ[k] += 1}"
      JOBS[no] = { no: no, kind: k, at: Time.now.to_f, result: res }
      return [202, job_view(JOBS[no])]
    end
    known = STATUS[op] || %w[getAllProspectFilters getSaveMap getSaveThematicId testService].include?(op) || (v('op-thematic-renamed') && op == 'getThematicId')
    return [200, { 'ss:pong' => true }] if o('odd-extra-ops') && op == 'ping'
    no!(404, 'E-PATH', 'no such operation') unless known && !(v('op-thematic-renamed') && op == 'getSaveThematicId')
    no!(405, 'E-METHOD', 'GET only') unless req.request_method == 'GET'
    if (k = STATUS[op])
      no!(400, 'E-PARAM', 'jobNo is required') unless q['jobNo']
      j = JOBS[q['jobNo']]
      j = nil if j && j[:kind] != k && !(v('job-cross-kind') && k == 'DRV')
      return [200, { '@type' => 'ss:Job', 'ss:jobNo' => q['jobNo'], 'ss:state' => 'DONE', 'ss:percent' => '100', 'ss:submitted' => ASOF, 'ss:result' => { 'ss:fileNo' => 'LOCF-1' } }] if !j && v('job-unknown-done') && k == 'LOC'
      no!(404, 'E-JOB', "no such #{k} job") unless j
      return [200, job_view(j)]
    end
    case op
    when 'testService' then [200, { '@type' => 'ss:Pulse', 'ss:alive' => true, 'ss:now' => (Time.now.to_f * 1000).to_i }]
    when 'getAllProspectFilters' then [200, { '@type' => 'ss:FilterList', 'ss:filters' => FILTERS.map { |c, (n, vals)| { 'ss:filterCode' => c, 'ss:filterName' => n, 'ss:valueCodes' => vals } } }]
    when 'getSaveMap' then no!(404, 'E-MAP', 'no such map') unless MAPS[q['mapNo']]; [200, { '@type' => 'ss:Map', 'ss:mapNo' => q['mapNo'], 'ss:mapName' => MAPS[q['mapNo']] }]
    else no!(400, 'E-PARAM', 'thematic is required') unless q['thematic']; [200, { '@type' => 'ss:Thematic', 'ss:thematic' => q['thematic'], 'ss:thematicNo' => "TH-#{Zlib.crc32(q['thematic'])}" }]
    end
  end
  B_OPS = { 'Catalogues' => [], 'Catalogue/Attribute/Values' => %w[attribute], 'Catalogue/LogicalDimensions' => [], 'Catalogue/RefreshDates' => [], 'Catalogue/Dimension/Attributes' => %w[dimension], 'Catalogue/Dimension/Groups' => %w[dimension], 'Catalogue/Dimension/Hierarchies' => %w[dimension], 'Catalogue/Dimension/Rows' => %w[dimension],
            'Catalogue/Group/Levels' => %w[group], 'Catalogue/Group/Level/Values' => %w[group level], 'Catalogue/Hierarchy/Levels' => %w[hierarchy], 'Catalogue/Hierarchy/Level/Values' => %w[hierarchy level], 'Catalogue/Measure/SharePrompts' => %w[measure] }
  def group_b(req, op, q, body)
    no!(404, 'E-PATH', 'no such operation') unless B_OPS[op] && !(op == 'Catalogue/Hierarchy/Levels' && v('op-hierlevels-missing'))
    body = JSON.parse(q['body']) if req.request_method == 'GET' && o('odd-extra-ops') && q['body']
    m = req.request_method
    m = m == 'GET' ? 'POST' : 'GET' if (op.end_with?('Rows') && v('op-rows-get-only')) || (m == 'GET' && o('odd-extra-ops'))
    no!(405, 'E-METHOD', 'POST only') unless m == 'POST'
    no!(400, 'E-BODY', 'a JSON object with ss:catalogue is required') unless body.is_a?(Hash) && body['ss:catalogue']
    (['catalogue'] + B_OPS[op]).each { |k| no!(400, 'E-BODY', "ss:#{k} is required") unless body["ss:#{k}"].is_a?(String) }
    id = body['ss:catalogue']
    if op == 'Catalogues'
      no!(404, 'E-CTLG', "no such catalogue #{id}") unless id == '*' || CTLG[id]
      return { '@type' => 'ss:CatalogueList', 'ss:catalogues' => CTLG.select { |k, _| id == '*' || k == id }.map { |k, c| { 'ss:catalogue' => k, 'ss:name' => c[:name], 'ss:measures' => c[:meas].map { |mk, mv| { 'ss:measure' => mk, 'ss:name' => mv[0] } } } } }
    end
    c = CTLG[id] or no!(404, 'E-CTLG', "no such catalogue #{id}")
    c = CTLG['GROC-US'] if v('b-catalogue-ignored') && op.end_with?('LogicalDimensions')
    head = { 'ss:catalogue' => id }
    if (dk = body['ss:dimension'])
      d = c[:dims][dk]
      d ||= CTLG.values.map { |x| x[:dims][dk] }.compact[0] if v('b-foreign-accepted') && op.end_with?('Attributes')
      no!(404, 'E-DIM', "no dimension #{dk} in #{id}") unless d || B_OPS[op] != %w[dimension]
      head['ss:dimension'] = dk
    end
    pick = lambda do |kind, key|
      l = c[:dims].values.map { |x| x[kind][body[key]] }.compact[0]
      l = nil if body[key] == 'HGR-2' && v('b-group-unknown-one') && op.end_with?('Group/Levels')
      l or no!(404, 'E-ID', "no #{key} #{body[key]} in #{id}")
    end
    vals = lambda do |kind, key|
      l = pick.(kind, key)
      n = body['ss:level'][%r{\A#{Regexp.escape(body[key])}/L(\d)\z}, 1].to_i
      no!(404, 'E-LEVEL', "no such level #{body['ss:level']}") unless n.between?(1, l[1][0].size)
      nodes = l[1][1][n - 1]
      nodes = l[1][1].flatten if v('b-level-ignored') && kind == :hiers
      nodes = nodes.select { |x| x.parent == body['ss:parent'] } if body['ss:parent']
      head.merge('@type' => 'ss:ValueList', key => body[key], 'ss:level' => body['ss:level'], 'ss:values' => nodes.map { |x| { 'ss:valueCode' => x.id, 'ss:valueName' => x.name, 'ss:parent' => v('b-parent-one') && x.id == 'HP2.2.1' ? 'HP9.2' : x.parent } })
    end
    case op
    when /LogicalDimensions/ then head.merge('@type' => 'ss:DimensionList', 'ss:dimensions' => c[:dims].map { |k, x| { 'ss:dimension' => k, 'ss:name' => x[:name], 'ss:logical' => k[2..] } })
    when /RefreshDates/ then w = v('b-refresh-order') && c[:back] == 2 ? -2 : 1; head.merge('@type' => 'ss:Refresh', 'ss:dataThrough' => ASOF, 'ss:lastRefresh' => ASOF + (1 + c[:back]) * DAY, 'ss:nextRefresh' => ASOF + (1 + c[:back] + 7 * w) * DAY)
    when /SharePrompts/ then ms = c[:meas][body['ss:measure']] or no!(404, 'E-MEAS', 'no such measure'); head.merge('@type' => 'ss:PromptList', 'ss:measure' => body['ss:measure'], 'ss:prompts' => ms[1].map { |k| { 'ss:prompt' => "#{body['ss:measure']}/#{k}", 'ss:text' => "Share of #{ms[0]} within #{c[:dims][k][:name]}", 'ss:dimension' => k } })
    when /Attribute\/Values/ then a = c[:dims].values.map { |x| x[:attrs][body['ss:attribute']] }.compact[0] or no!(404, 'E-ATTR', 'no such attribute'); head.merge('@type' => 'ss:ValueList', 'ss:attribute' => body['ss:attribute'], 'ss:values' => a[1].each_with_index.map { |x, k| { 'ss:valueCode' => "#{body['ss:attribute']}.#{k + 1}", 'ss:valueName' => x } })
    when /Dimension\/Attributes/ then head.merge('@type' => 'ss:AttributeList', 'ss:attributes' => d[:attrs].map { |k, x| { 'ss:attribute' => k, 'ss:name' => x[0] } })
    when /Dimension\/Groups/ then head.merge('@type' => 'ss:GroupList', 'ss:groups' => d[:groups].map { |k, x| { 'ss:group' => k, 'ss:name' => x[0] } })
    when /Dimension\/Hierarchies/ then head.merge('@type' => 'ss:HierarchyList', 'ss:hierarchies' => d[:hiers].map { |k, x| { 'ss:hierarchy' => k, 'ss:name' => x[0] } })
    when /Dimension\/Rows/ then rows = d[:hiers].values[0][1][1].flatten; head.merge('@type' => 'ss:RowList', 'ss:rowCount' => rows.size.to_s, 'ss:rows' => rows.map { |x| { 'ss:valueCode' => x.id, 'ss:valueName' => x.name, 'ss:parent' => v('b-parent-one') && x.id == 'HP2.2.1' ? 'HP9.2' : x.parent } })
    when /Group\/Levels/ then head.merge('@type' => 'ss:LevelList', 'ss:group' => body['ss:group'], 'ss:levels' => levels(pick.(:groups, 'ss:group'), body['ss:group']))
    when /Hierarchy\/Levels/ then head.merge('@type' => 'ss:LevelList', 'ss:hierarchy' => body['ss:hierarchy'], 'ss:levels' => levels(pick.(:hiers, 'ss:hierarchy'), body['ss:hierarchy']))
    when /Group\/Level\/Values/ then vals.(:groups, 'ss:group')
    else vals.(:hiers, 'ss:hierarchy')
    end
  end
  def page(req, res, q, rows, key, default)
    off, size = 0, (q['size'] || default).to_s
    no!(400, 'E-PARAM', 'size is a number from 1 to 200') unless size =~ /\A\d+\z/ && size.to_i.between?(1, 200)
    size = size.to_i
    size = [size, 20].min if o('odd-page-clamp')
    if q['cursor']
      c = JSON.parse(Base64.urlsafe_decode64(q['cursor'])) rescue no!(400, 'E-CURSOR', 'bad cursor')
      no!(400, 'E-CURSOR', 'bad cursor') unless c.is_a?(Array) && c[0].is_a?(Integer)
      off, size = c[0], c[1]
    end
    total = rows.size
    total += 1 if v('tot-items-filter') && q['cat']
    res['X-Total-Items'] = total.to_s
    if off + size < rows.size
      nq = q.reject { |k, _| %w[cursor size node].include?(k) }.merge('cursor' => Base64.urlsafe_encode64(JSON.generate([off + size, size]), padding: false))
      res['Link'] = "<http://#{req['host'] || '127.0.0.1'}#{req.path}?#{URI.encode_www_form(nq)}>; rel=\"next\""
    end
    out = rows[off, size] || []
    out = out.drop(1) if v('tot-page-lost') && key == 'ss:items' && off == 4 * size
    out
  end
  def group_c(req, res, op, q)
    op = op == 'allCategory' ? 'allCategories' : op == 'allCategories' ? '?' : op if v('op-categories-renamed')
    no!(404, 'E-PATH', 'no such operation') unless %w[allCategories allProducts updateProducts].include?(op) || op =~ %r{\Aproducts/[^/]+\z}
    no!(405, 'E-METHOD', 'GET only') unless req.request_method == 'GET'
    no!(404, 'E-CAT', "no such category #{q['cat']}") if q['cat'] && CATS.none? { |c| c[0] == q['cat'] }
    case op
    when 'allCategories'
      gone = v('st-after-unknown') && HIT.delete(:unknown)
      cats = CATS.reject { |c| gone || (v('rel-category-unlisted') && c[0] == 'C160') }
      env('ss:CategoryList', 'ss:categories' => cats.map { |c| { '@type' => 'ss:Category', 'ss:catCode' => c[0], 'ss:catName' => c[1], 'ss:itemCount' => (c[3] + (v('tot-itemcount-one') && c[0] == 'C150' ? 2 : 0)).to_s, 'ss:subCats' => SUBS.select { |_, s| s[1] == c[0] }.map { |k, s| { 'ss:subCode' => k, 'ss:subName' => s[0] } } } })
    when 'allProducts'
      list = ITEMS.dup
      list[-3] = list[2] if v('row-dup-late')
      list.delete_at(200) if v('st-gzip-older') && req['accept-encoding'].to_s.include?('gzip')
      if q['cat'] && !v('rel-filter-ignored')
        list = list.select { |i| i.cat == q['cat'] }
        list = list.insert(30, ITEMS[240]) if v('rel-filter-leak-one') && q['cat'] == 'C130'
        list = list[0..-3] if v('rel-filter-short') && q['cat'] == 'C140'
      end
      rows = page(req, res, q, list, 'ss:items', 50).map do |i|
        r = char_row(i)
        r['ss:upc'] = '0' + i.upc if v('row-upc-13-late') && i == LATE
        r['ss:upc'] = i.upc.sub(/\A0/, '') if v('row-leadzero-stripped') && i.cat == 'C150'
        r
      end
      env('ss:ItemList', 'ss:items' => rows)
    when 'updateProducts'
      w = q['weeks']
      no!(400, 'E-PARAM', 'weeks must be 1, 4 or 13') unless %w[1 4 13].include?(w)
      w = w.to_i
      w = 4 if w == 13 && v('rel-delta-window-ignored')
      list = (ITEMS + (o('odd-delisted-delta') ? DEAD : [])).select { |i| i.chg < w }
      four = ITEMS.select { |i| i.chg.between?(1, 3) }
      list.delete(four[4]) if v('rel-delta-nested-one') && w == 13
      two = ITEMS.find { |i| i.chg == 2 }
      list.delete(two) if v('date-not-in-delta')
      six = ITEMS.find { |i| i.chg == 6 }
      list << six if v('date-outside-one') && w == 4
      list = list.select { |i| i.cat == q['cat'] } if q['cat']
      list = [] if v('st-delta-consumed') && (HIT[[w, q['cat'], q['cursor']]] += 1) > 1
      rows = page(req, res, q, list, 'ss:changes', 100).map do |i|
        kind = i.first < w ? 'N' : 'C'
        r = char_row(i).merge('@type' => 'ss:Change', 'ss:kind' => kind, 'ss:changedOn' => ms(i.chg), 'ss:changedChars' => kind == 'N' ? [] : i.chars.empty? ? ['TEXT'] : i.chars)
        r['ss:size'] = i.prev if v('rel-delta-size-one') && i == four[3]
        r['ss:changedOn'] /= 1000 if v('date-seconds-one') && i == four[5]
        r['ss:kind'] = 'Z' if v('kind-undocumented-one') && i == four[2]
        r.merge!('ss:kind' => 'N', 'ss:changedChars' => []) if v('kind-new-but-old') && i == four.select { |x| x.first > 60 }[1]
        r
      end
      rows << rows[0].merge('ss:upc' => upc(7_771_234_567)) if v('rel-delta-unknown-one') && w == 13 && !q['cat'] && rows[0] && !q['cursor']
      env('ss:ChangeList', 'ss:weeks' => q['weeks'], 'ss:changes' => rows)
    else
      u = op[9..]
      no!(400, 'E-UPC', 'a UPC has 12 digits') unless u =~ /\A\d{12}\z/
      i = BYUPC[u]
      i = nil if (v('rel-lookup-missing-one') && i == LATE) || (v('row-leadzero-lookup') && u.start_with?('00'))
      unless i
        HIT[:unknown] = 1
        return env('ss:ItemSheet', 'ss:upc' => u, 'ss:characteristics' => []) if v('err-unknown-200')
        no!(404, 'E-ITEM', "no item #{u}")
      end
      r = char_row(i)
      r['ss:brandCode'] = 'B171' if v('rel-lookup-brand-one') && i == ITEMS[222]
      old = o('odd-sheet-replica') && i.chg < 1 && i.chars.include?('SIZE') && (HIT[u] += 1).odd?
      r['ss:size'] = i.prev if old
      h = env('ss:ItemSheet', 'ss:upc' => u, 'ss:status' => i.status, 'ss:firstSold' => r['ss:firstSold'], 'ss:lastSold' => r['ss:lastSold'], 'ss:lastChanged' => r['ss:lastChanged'],
              'ss:characteristics' => { 'TEXT' => 'text', 'CATEGORY' => 'catCode', 'SUBCATEGORY' => 'subCode', 'MANUFACTURER' => 'mfrCode', 'BRAND' => 'brandCode', 'SIZE' => 'size', 'UOM' => 'uom', 'MARKET' => 'mktCode' }.map { |c, k| { 'ss:charCode' => c, 'ss:value' => r["ss:#{k}"] } })
      old ? h.reject { |k, _| %w[ss:asOf ss:week ss:lastChanged].include?(k) } : h
    end
  end
  def figures(m, q, y, l) = { 'ss:usd4' => usd(m), 'ss:usd12' => usd(q), 'ss:usd52' => usd(y), 'ss:usdLY' => usd(l), 'ss:pctChg' => l == 0 ? nil : format('%.1f', (y - l) * 100.0 / l) }
  def group_d(req, res, op, q)
    no!(404, 'E-PATH', 'no such operation') unless %w[BrandPerformance/Metadata CategoryPerformance BrandPerformance].include?(op)
    no!(405, 'E-METHOD', 'GET only') unless req.request_method == 'GET'
    if op.end_with?('Metadata')
      brands = BRANDS.reject { |b, _| v('rel-brand-not-in-metadata') && b == 'B121' }
      subs = SUBS.dup
      (subs['S119'] = ['TONIC WATER', 'C110']; brands = brands.merge('B109' => ['HARLOW ZERO', 'M10'])) if o('odd-metadata-wider')
      return env('ss:PanelMetadata', 'ss:markets' => [{ 'ss:mktCode' => '1', 'ss:mktName' => 'Total US' }], 'ss:categories' => CATS.map { |c| { 'ss:catCode' => c[0], 'ss:catName' => c[1], 'ss:subCats' => subs.select { |_, s| s[1] == c[0] }.map { |k, s| { 'ss:subCode' => k, 'ss:subName' => s[0] } } } },
                 'ss:manufacturers' => MFRS.map { |k, n| { 'ss:mfrCode' => k, 'ss:mfrName' => n, 'ss:brands' => brands.select { |_, b| b[1] == k }.map { |bk, b| { 'ss:brandCode' => bk, 'ss:brandName' => b[0] } } } })
    end
    want = lambda do |key, pairs|
      next nil unless q[key]
      hit = pairs.select { |_, n| n.casecmp?(q[key]) }.map(&:first)
      no!(400, 'E-NAME', "#{key} #{q[key]} is not in the metadata") if hit.empty?
      hit
    end
    cat = want.('category', CATS.map { |c| [c[0], c[1]] }); sub = want.('subcategory', SUBS.map { |k, s| [k, s[0]] } + (o('odd-metadata-wider') ? [['S119', 'TONIC WATER']] : []))
    mfr = want.('manufacturer', MFRS.to_a); brand = want.('brand', BRANDS.map { |k, b| [k, b[0]] } + (o('odd-metadata-wider') ? [['B109', 'HARLOW ZERO']] : []))
    rows = PERF.select { |p| (!cat || cat.include?(SUBS[p[:sub]][1])) && (!sub || sub.include?(p[:sub])) }
    if op == 'CategoryPerformance'
      no!(400, 'E-PARAM', 'manufacturer and brand belong to BrandPerformance') if mfr || brand
      return { '@type' => 'ss:Fault', 'ss:code' => 'E-BUSY', 'ss:text' => 'figures not loaded' } if v('err-fault-in-success') && cat == ['C160']
      mk = ->(lv, c, s, l) { { '@type' => 'ss:CatPerf', 'ss:level' => lv, 'ss:mktCode' => '1', 'ss:catCode' => c, 'ss:subCode' => s }.merge(figures(*%i[m q y l].map { |f| l.sum { |p| p[f] } })) }
      out = rows.group_by { |p| p[:sub] }.map { |s, l| mk.('SUB', SUBS[s][1], s, l) }
      out += rows.group_by { |p| SUBS[p[:sub]][1] }.map { |c, l| mk.('CAT', c, nil, l) } unless sub
      out = out.sort_by { |r| [r['ss:catCode'], r['ss:subCode'].to_s] }
      out.each { |r| r['ss:pctChg'] = format('%+.1f', -r['ss:pctChg'].to_f).sub('+', '') if r['ss:subCode'] == 'S142' } if v('row-pct-sign-one')
      return env('ss:CategoryPerformance', 'ss:rows' => out)
    end
    rows = rows.select { |p| (!mfr || mfr.include?(BRANDS[p[:brand]][1])) && (!brand || brand.include?(p[:brand]) || (v('rel-perf-brand-filter-mfr') && brand.any? { |b| BRANDS[b][1] == BRANDS[p[:brand]][1] })) }
    rows = rows.reject { |p| p.equal?(PERF[77]) } if v('rel-brand-row-lost') && !cat && !sub && !mfr && !brand
    n = HIT[:perf] += 1
    out = page(req, res, q, rows, 'ss:rows', 40).map do |p|
      r = { '@type' => 'ss:BrandPerf', 'ss:mktCode' => v('row-market-one') && p.equal?(PERF[55]) ? '2' : '1', 'ss:catCode' => SUBS[p[:sub]][1], 'ss:subCode' => p[:sub], 'ss:mfrCode' => BRANDS[p[:brand]][1], 'ss:brandCode' => p[:brand] }.merge(figures(p[:m], p[:q], p[:y], p[:l]))
      r.delete('ss:usd12') if v('row-usd12-missing-one') && p.equal?(PERF[63])
      r.delete('ss:usdLY') if v('row-ly-missing-category') && r['ss:catCode'] == 'C150'
      r['ss:usd4'], r['ss:usd12'] = r['ss:usd12'], r['ss:usd4'] if v('row-usd4-gt-usd12') && p.equal?(PERF[101])
      r['ss:usd52'] = usd(p[:y] + 100_000) if v('st-second-figure') && n > 1 && p.equal?(PERF[20])
      r
    end
    env('ss:BrandPerformance', 'ss:rows' => out)
  end
  def shuffle(x) = x.is_a?(Hash) ? x.transform_values { |y| shuffle(y) } : x.is_a?(Array) ? x.map { |y| shuffle(y) }.shuffle : x
  def extra(x) = x.is_a?(Hash) ? x.transform_values { |y| extra(y) }.merge('ss:rev' => 7, 'ss:x' => { 'ss:note' => nil, 'ss:upcs' => ['n/a'] }) : x.is_a?(Array) ? x.map { |y| extra(y) } : x
  def run(sock)
    sock.setsockopt(Socket::IPPROTO_TCP, Socket::TCP_NODELAY, 1)
    super
  end
  def service(req, res)
    res['Server'] = 'ShelfScope/9.2'; res['Content-Type'] = 'application/json; charset=utf-8'
    g = op = nil
    LOCK.synchronize do
      begin
        q = URI.decode_www_form(req.request_uri.query.to_s).to_h
        path = req.path
        if o('odd-429') && (HIT[:all] += 1) % 9 == 0
          res['Retry-After'] = '1'
          no!(429, 'E-SLOW', 'too many calls, wait a second')
        end
        if o('odd-redirect') && !q['node']
          res['Location'] = "http://#{req['host']}#{path}?#{[req.request_uri.query, 'node=2'].compact.join('&')}"
          no!(307, 'E-MOVED', 'see Location')
        end
        path = path == '/RetailMeasurement/v2/BrandPerformance/Metadata' ? path.sub('v2', 'v1') : path == '/RetailMeasurement/v1/BrandPerformance/Metadata' ? '/?' : path if v('op-metadata-v2')
        g, op = { 'A' => '/webservices/', 'B' => '/data-access/v1/', 'C' => '/PLATFORMAPI/prodRef/v1/', 'D' => '/RetailMeasurement/v1/' }.filter_map { |k, pre| [k, path[pre.size..]] if path.start_with?(pre) }.first
        no!(404, 'E-PATH', 'no such operation') unless g
        if o('odd-head-options') && req.request_method == 'OPTIONS'
          res['Allow'] = 'GET, POST, HEAD, OPTIONS'; res.status = 204; res.body = nil
          next
        end
        req.instance_variable_set(:@request_method, 'GET') if (was_head = o('odd-head-options') && req.request_method == 'HEAD')
        name, key = KEYS[g]
        given = req[name]
        given = key if (v('cred-d-open') && g == 'D' && !given) || (v('cred-delta-open') && op == 'updateProducts') || (v('cred-other-group') && g == 'C' && (req['X-Ops-Key'] == KEYS['A'][1] || given == KEYS['A'][1]))
        no!(401, 'E-KEY', "header #{name} is missing") unless given
        no!(403, 'E-KEY', 'this key does not open this group') unless given == key
        body = nil
        if req.request_method == 'POST'
          raw = req.body.to_s
          body = raw.strip.empty? ? {} : (JSON.parse(raw) rescue no!(400, 'E-BODY', 'the body is not JSON'))
        end
        st, out = 200, nil
        case g
        when 'A' then st, out = group_a(req, op, q, body)
        when 'B' then out = group_b(req, op, q, body)
        when 'C' then out = group_c(req, res, op, q)
        else out = group_d(req, res, op, q)
        end
        req.instance_variable_set(:@request_method, 'HEAD') if was_head
        st = g == 'B' ? 201 : req.request_method == 'GET' ? 203 : st if o('odd-2xx')
        out = shuffle(out) if o('odd-reorder')
        out = extra(out) if o('odd-extra-fields')
        res.status = st
        res.body = JSON.generate(out)
      rescue Fault => e
        res.status = e.st
        res.body = JSON.generate('@type' => 'ss:Fault', 'ss:code' => e.code, 'ss:text' => e.message)
        (res['Content-Type'] = 'text/html'; res.body = "<html><body><h1>Error</h1><p>#{e.code}</p></body></html>") if v('err-html') && g == 'B'
      end
    end
    return if res.status == 204
    res.body = "\uFEFF" + res.body if o('odd-bom')
    if req['accept-encoding'].to_s.include?('gzip') && res.body.bytesize > 400
      res['Content-Encoding'] = 'gzip'; res['Vary'] = 'Accept-Encoding'
      res.body = Zlib.gzip(res.body)
    end
    if o('odd-chunked')
      body = res.body
      res.chunked = true; res.keep_alive = false
      res.body = ->(w) { body.bytes.each_slice(97) { |s| w.write(s.pack('C*')) } }
    end
  end
end
srv = App.new(BindAddress: '127.0.0.1', Port: (opt['--port'] || 0).to_i, Logger: WEBrick::Log.new(File::NULL), AccessLog: [])
%w[INT TERM].each { |s| trap(s) { srv.shutdown } }
puts "http://127.0.0.1:#{srv.listeners[0].addr[1]}"
$stdout.flush
srv.start
