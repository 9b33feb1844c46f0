#!/usr/bin/env python3
"""Meridian Retail Insight: JSON in an envelope of `meta` and `data`, pages by number, an API key in a header."""
import argparse, gzip, json, random, sys, threading
from datetime import date, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

VIOLATIONS = {
    'op-missing': ('A', 'operation', 'getSaveThematicId is not there'),
    'op-post-only': ('C', 'operation', 'allCategories knows POST only'),
    'op-v2': ('D', 'operation', 'CategoryPerformance is served below /v2/ only'),
    'filter-ignored-one-category': ('C', 'relation', 'the filter by the category with the ampersand returns all products'),
    'filter-leak-last-page': ('C', 'rows', 'the last page of one filtered list ends with a product of another category'),
    'bulk-drops-last-row': ('C', 'rows', 'the last page of the bulk list lacks its last product'),
    'bulk-repeats-row': ('C', 'rows', 'page 3 begins with the last row of page 2, whose product it shows in place of its own'),
    'upc-eleven-digits': ('C', 'values', 'one product of the bulk list has a UPC of 11 digits'),
    'delta-zeros-lost': ('C', 'values', 'the delta writes UPCs without their leading zeros'),
    'delta-misses-one': ('C', 'relation', 'the delta of 4 weeks lacks one changed product'),
    'delta-has-unchanged': ('C', 'relation', 'the delta of 4 weeks has one product that changed 200 days ago'),
    'delta-edge': ('C', 'relation', 'the window of 1 week begins a day too early'),
    'delta-13-is-4': ('C', 'relation', 'the delta of 13 weeks is the one of 4 weeks'),
    'lookup-other': ('C', 'relation', 'the look-up of one product returns its neighbour'),
    'lookup-old-value': ('C', 'relation', 'the look-up of a changed product shows the flavor before the change'),
    'lookup-zeros-404': ('C', 'rows', 'products with leading zeros are unknown to the look-up'),
    'lookup-error-in-200': ('C', 'error in success', 'the look-up of one product in 40 returns 200 with an error body'),
    'category-500': ('C', 'error in success', 'the filter by one category ends in 500'),
    'category-unlisted': ('C', 'relation', 'allCategories lacks one category that products have'),
    'total-off-by-one': ('C', 'totals', 'totalItems of the bulk list is one too high'),
    'count-of-category-off': ('C', 'totals', 'productCount of one category is one too low'),
    'figure-52-below-12': ('D', 'values', 'one brand row has 52-week dollars below its 12-week dollars'),
    'pct-of-this-year': ('D', 'values', 'the change is a percentage of this year'),
    'pct-wrong-in-one-row': ('D', 'values', 'the change of the last brand row has the wrong sign'),
    'market-wrong-in-one-row': ('D', 'values', 'one row of BrandPerformance is of the market Total Canada'),
    'metadata-lacks-brand': ('D', 'relation', 'the metadata lacks one brand that has performance'),
    'metadata-extra-subcategory': ('D', 'relation', 'the metadata lists a sub-category without performance'),
    'sum-off': ('D', 'relation', 'one category row is not the sum of its brand rows'),
    'brand-filter-ignored-one': ('D', 'relation', 'the filter by one brand returns every brand'),
    'state-last-filter': ('C', 'state', 'a request without category repeats the last category filter'),
    'state-every-7th': ('C', 'state', 'every 7th look-up returns the product of the look-up before'),
    'state-second-differs': ('C', 'state', 'the second and later readings of a delta lack a row'),
    'gzip-differs': ('C', 'state', 'a compressed bulk page lacks its last row'),
    'job-other-state': ('A', 'jobs', 'the status of a drive job is the one of the newest drive job'),
    'job-lost': ('A', 'jobs', 'a second export job makes the first unknown'),
    'job-never-final': ('A', 'jobs', 'report jobs run for ever'),
    'job-unknown-accepted': ('A', 'jobs', 'any id has a status of a location job'),
    'b-catalogue-ignored': ('B', 'group B', 'Hierarchy/Levels answers from the first catalogue, whatever the id'),
    'b-other-catalogue-rows': ('B', 'group B', 'Dimension/Rows adds a row of another catalogue'),
    'b-listed-unknown': ('B', 'group B', 'one listed hierarchy has no levels: 404'),
    'b-parent-wrong': ('B', 'group B', 'the second value of a level names another level as its parent'),
    'auth-one-op-refuses': ('D', 'credentials', 'BrandPerformance refuses the key that all others accept'),
}
ODDITIES = {
    'order-random': 'rows come in random order', 'delisted': 'a reload comes with the look-up of one product, which is gone: 410',
    'page-clamped': 'pages hold 50 rows at most', 'content-type-text': 'the content type is text/json',
    'head-refused': 'HEAD ends in 501', 'redirect': 'GET paths redirect once to the same path with a trailing slash',
    'lag': 'every other look-up comes from a replica a week old, and says so', 'extra-members': 'rows carry members that no one documented',
}
ap = argparse.ArgumentParser()
ap.add_argument('--port', type=int, default=0)
ap.add_argument('--violation', default='')
ap.add_argument('--oddity', default='')
ap.add_argument('--list', action='store_true')
args = ap.parse_args()
if args.list:
    for n, row in VIOLATIONS.items(): print('violation', n, *row, sep='\t')
    for n, s in ODDITIES.items(): print('oddity', n, 'ABCD', '', s, sep='\t')
    sys.exit()
V, O = args.violation, args.oddity
if V and V not in VIOLATIONS or O and O not in ODDITIES: sys.exit('unknown violation or oddity')

AS_OF = date(2026, 11, 14)
def week(): return AS_OF + timedelta(days=7 if SEEN.get('gone') else 0)
KEY = 'meridian-key'
TREE = {
    'Nuts & Seeds': ['Almonds', 'Mixed Nuts', 'Seeds'], 'Salsa/Dips': ['Salsa', 'Hummus'], 'Crème Desserts': ['Puddings', 'Flans'],
    '100% Juice': ['Apple', 'Orange', 'Blends'], 'Baby Food, Organic': ['Jars', 'Pouches'], "Men's Care": ['Shave', 'Deodorant'],
    'Coffee + Tea': ['Ground', 'Pods', 'Leaf'], 'Frozen': ['Pizza', 'Vegetables'], 'Cereal': ['Hot', 'Cold'], 'Pet Food': ['Dog', 'Cat', 'Bird'],
}
SUBS = [(c, s) for c, subs in TREE.items() for s in subs]
BRANDS = [(m, f'{b} {x}') for m, b in [('Harrow & Sons', 'Harrow'), ('Bluestem Foods', 'Bluestem'), ("O'Dell Group", "O'Dell"), ('Tarn Co.', 'Tarn'),
          ('Nordlys', 'Nordlys'), ('Quarry Mills', 'Quarry')] for x in ('Classic', 'Select', 'Green')]
FLAVORS = ['Plain', 'Lime', 'Smoked', 'Honey', 'Vanilla', 'Chili']


def upc_of(n):
    body = f'{n:011d}'
    odd, even = sum(map(int, body[::2])), sum(map(int, body[1::2]))
    return body + str(-(odd * 3 + even) % 10)


def make(i):
    cat, sub = SUBS[i * 5 % len(SUBS)]
    man, brand = BRANDS[i * 7 % len(BRANDS)]
    days = i * 37 % 364
    number = 410_000 + i * 977 if i % 6 == 0 else 71_200_000_000 + i * 99_991
    changed = AS_OF - timedelta(days=days)
    first = changed if i % 9 == 0 else AS_OF - timedelta(days=400 + i)
    return dict(upc=upc_of(number), description=f'{brand} {sub} {i}', category=cat, subCategory=sub, manufacturer=man, brand=brand, country='US',
                firstSold=str(first), lastChanged=str(changed), days=days, kind='N' if i % 9 == 0 else 'C', flavor=FLAVORS[i % 6], size=f'{4 + i % 28} oz')


PRODUCTS = [make(i) for i in range(1, 641)]
REMOVED = [dict(make(i), kind='D', days=d) for i, d in ((701, 2), (702, 5), (703, 20), (704, 60))]
BY_UPC = {p['upc']: p for p in PRODUCTS}
PUBLIC = ('upc', 'description', 'category', 'subCategory', 'manufacturer', 'brand', 'country', 'firstSold', 'lastChanged')


def figures():
    rows = {}
    for p in PRODUCTS:
        key = (p['category'], p['subCategory'], p['manufacturer'], p['brand'])
        rows.setdefault(key, 0)
        rows[key] += 1000 + int(p['upc'][3:]) % 9001
    out = []
    for k, (key, d4) in enumerate(sorted(rows.items())):
        d12, d52 = d4 * 3 + k, d4 * 13 + 17 * k
        out.append((key, [d4, d12, d52, int(d52 * (0.8 + k % 50 / 100))]))
    return out


def perf(names, sums):
    d4, d12, d52, ly = sums
    base = d52 if V == 'pct-of-this-year' else ly
    return dict(names, market='Total US', dollars4w=d4, dollars12w=d12, dollars52w=d52, dollarsLastYear=ly, dollarPctChange=round((d52 - ly) / base * 100, 2))


def brand_rows():
    rows = [perf(dict(zip(('category', 'subCategory', 'manufacturer', 'brand'), key)), s) for key, s in figures()]
    if V == 'figure-52-below-12': rows[33]['dollars52w'] = rows[33]['dollars12w'] - 900
    if V == 'pct-wrong-in-one-row': rows[-1]['dollarPctChange'] *= -1
    if V == 'market-wrong-in-one-row': rows[57]['market'] = 'Total Canada'
    return rows


def category_rows():
    sums = {}
    for (cat, sub, _, _), s in figures():
        sums[cat, sub] = [a + b for a, b in zip(sums.get((cat, sub), [0] * 4), s)]
    if V == 'sum-off': sums['Cereal', 'Hot'][1] += 1200
    return [perf(dict(category=c, subCategory=s), v) for (c, s), v in sums.items()]


# Catalogues: every node has an id of its catalogue; the tree is dimension > (attributes | groups > levels | hierarchies > levels) > values.
def catalogue(code, name, dims):
    node = lambda i, n, **kids: dict(id=i, name=n, **kids)
    vals = lambda p, n: [node(f'{p}-V{k}', f'{name} {p} value {k}', parent=p) for k in range(1, n + 1)]
    def dim(j, d):
        p = f'{code}-D{j}'
        lev = lambda q, n: [node(f'{q}-L{k}', f'{d} level {k}', parent=q, values=vals(f'{q}-L{k}', 3 + k)) for k in range(1, n + 1)]
        return node(p, d, attributes=[node(f'{p}-A{k}', f'{d} attribute {k}', parent=p, values=vals(f'{p}-A{k}', 2 + k)) for k in (1, 2)],
                    groups=[node(f'{p}-G{k}', f'{d} group {k}', parent=p, levels=lev(f'{p}-G{k}', 1 + k)) for k in (1, 2)],
                    hierarchies=[node(f'{p}-H{k}', f'{d} hierarchy {k}', parent=p, levels=lev(f'{p}-H{k}', k + 1)) for k in (1, 2)],
                    rows=[node(f'{p}-R{k}', f'{d} row {k} of {name}', parent=p) for k in range(1, 6 + j)])
    return node(code, name, dimensions=[dim(j, d) for j, d in enumerate(dims, 1)])


CATALOGUES = [catalogue('FOOD', 'US Food', ['Product', 'Market', 'Period', 'Measure']), catalogue('HBC', 'Health & Beauty', ['Product', 'Market', 'Measure']),
              catalogue('PET', 'Pet', ['Product', 'Measure'])]
REFRESH = {'FOOD': '2026-11-14', 'HBC': '2026-11-07', 'PET': '2026-10-31'}


class Fail(Exception):
    def __init__(self, status, code): self.status, self.code = status, code


def find(rows, ident):
    for r in rows:
        if r['id'] == ident: return r
    raise Fail(404, 'UNKNOWN_ID')


def flat(rows): return [{k: v for k, v in r.items() if not isinstance(v, list)} for r in rows]


def group_b(op, body):
    ident = body.get('catalogueId')
    if op == 'Catalogues':
        return flat([c for c in CATALOGUES if ident in (None, c['id'])])
    if ident is None: raise Fail(400, 'CATALOGUE_ID_MISSING')
    cat = find(CATALOGUES, ident)
    dims = cat['dimensions']
    if op == 'Catalogue/LogicalDimensions': return flat(dims)
    if op == 'Catalogue/RefreshDates': return [dict(catalogueId=cat['id'], refreshDate=REFRESH[cat['id']])]
    kids = lambda kind: [k for d in dims for k in d[kind]]
    if op.startswith('Catalogue/Dimension/'):
        rows = flat(find(dims, body.get('dimensionId'))[op.rsplit('/', 1)[1].lower()])
        if V == 'b-other-catalogue-rows' and op.endswith('Rows') and cat['id'] == 'HBC': rows.append(flat(CATALOGUES[0]['dimensions'][0]['rows'])[0])
        return rows
    if op == 'Catalogue/Attribute/Values': return flat(find(kids('attributes'), body.get('attributeId'))['values'])
    if op == 'Catalogue/Measure/SharePrompts':
        m = find(dims[-1]['rows'], body.get('measureId'))
        return [dict(id=f"{m['id']}-S{k}", name=f'Share of {n}', measureId=m['id']) for k, n in enumerate(('category', 'market'), 1)]
    kind = 'groups' if '/Group/' in op else 'hierarchies'
    if V == 'b-catalogue-ignored' and op == 'Catalogue/Hierarchy/Levels':
        j, h = str(body.get('hierarchyId')).split('-')[1:] if str(body.get('hierarchyId')).count('-') == 2 else ('', '')
        return flat(find([k for d in CATALOGUES[0]['dimensions'] for k in d[kind]], f'FOOD-{j}-{h}')['levels'])
    parent = find(kids(kind), body.get('groupId' if kind == 'groups' else 'hierarchyId'))
    if V == 'b-listed-unknown' and parent['id'] == 'HBC-D2-H2': raise Fail(404, 'UNKNOWN_ID')
    if op.endswith('/Levels'): return flat(parent['levels'])
    rows = flat(find(parent['levels'], body.get('levelId'))['values'])
    if V == 'b-parent-wrong' and kind == 'hierarchies': rows[1]['parent'] = rows[1]['parent'][:-1] + '9'
    return rows


B_OPS = ['Catalogues'] + ['Catalogue/' + x for x in (
    'Attribute/Values', 'LogicalDimensions', 'RefreshDates', 'Dimension/Attributes', 'Dimension/Groups', 'Dimension/Hierarchies', 'Dimension/Rows',
    'Group/Levels', 'Group/Level/Values', 'Hierarchy/Levels', 'Hierarchy/Level/Values', 'Measure/SharePrompts')]
STARTS = {'createlist': 'Prospect', 'drive': 'Drive', 'executeReport': 'Report', 'fileenhancement': 'FileEnhancement', 'importLocation': 'Location',
          'updateLocation': 'Location', 'mapExport': 'MapExport', 'pullVariable': 'PullVar'}
JOBS, SEEN, LOCK = {}, {}, threading.Lock()
STATES = ['QUEUED', 'RUNNING', 'COMPLETED']


def group_a(method, op, q, body):
    if method == 'POST':
        if op in STARTS:
            kind = STARTS[op]
            if V == 'job-lost' and kind == 'MapExport': JOBS.pop(kind, None)
            ident = f'{kind}:{len(JOBS.setdefault(kind, {})) + 1}/{1000 + 7 * sum(map(len, JOBS.values()))}'
            JOBS[kind][ident] = 0
            return dict(jobId=ident, state='QUEUED')
        if op == 'businesscount': return dict(count=1234)
        if op == 'createSurvey': return dict(surveyId='SV-77')
        raise Fail(404, 'NO_SUCH_SERVICE')
    if op == 'testService': return dict(status='UP')
    if op == 'getAllProspectFilters': return [dict(id=f'PF{k}', name=n) for k, n in enumerate(('Income', 'Age', 'Own/Rent'))]
    if op == 'getSaveMap': return dict(mapId='MAP-1', name='Trade area')
    if op == 'getSaveThematicId' and V != 'op-missing': return dict(thematicId='TH-9')
    kind = op[3:-9]
    if not op.endswith('JobStatus') or kind not in STARTS.values(): raise Fail(404, 'NO_SUCH_SERVICE')
    ident = q.get('jobId')
    if ident is None: raise Fail(400, 'JOB_ID_MISSING')
    jobs = JOBS.get(kind, {})
    if V == 'job-unknown-accepted' and kind == 'Location' and ident not in jobs: return dict(jobId=ident, state='RUNNING')
    if ident not in jobs: raise Fail(404, 'UNKNOWN_JOB')
    if V == 'job-other-state' and kind == 'Drive': ident = list(jobs)[-1]
    jobs[ident] += 1
    n = min(jobs[ident], 2)
    if V == 'job-never-final' and kind == 'Report': n = 1
    return dict(jobId=ident, state=STATES[n])


def paged(rows, q, meta):
    try: page, size = int(q.get('page', 1)), int(q.get('pageSize', 100))
    except ValueError: raise Fail(400, 'BAD_PAGE')
    if page < 1 or size < 1: raise Fail(400, 'BAD_PAGE')
    size = min(size, 50 if O == 'page-clamped' else 250)
    total = len(rows) + (V == 'total-off-by-one' and meta.get('list') == 'bulk')
    meta.update(asOf=str(week()), page=page, pageSize=size, totalItems=total, totalPages=-(-len(rows) // size))
    part = rows[(page - 1) * size:page * size]
    last = page * size >= len(rows)
    if meta.get('list') == 'bulk' and V == 'bulk-drops-last-row' and last: part = part[:-1]
    if meta.get('list') == 'bulk' and V == 'bulk-repeats-row' and page == 3: part = [rows[(page - 1) * size - 1]] + part[1:]
    if meta.get('category') == 'Frozen' and V == 'filter-leak-last-page' and last: part = part[:-1] + [r for r in ROWS if r['category'] == 'Cereal'][:1]
    return part


def order(rows):
    if O == 'order-random': random.Random(5).shuffle(rows)
    if O == 'extra-members': rows = [dict(r, _etag='x' + str(k)) for k, r in enumerate(rows)]
    return rows


ROWS = [{k: p[k] for k in PUBLIC} for p in PRODUCTS]


def group_c(op, q):
    if op == 'allCategories':
        count = lambda c: sum(p['category'] == c for p in PRODUCTS) - (V == 'count-of-category-off' and c == 'Pet Food')
        return order([dict(categoryName=c, productCount=count(c), subCategories=[dict(name=s) for s in subs])
                      for c, subs in TREE.items() if not (V == 'category-unlisted' and c == 'Coffee + Tea')]), dict(asOf=str(week()))
    if op == 'allProducts':
        cat = q.get('category')
        if V == 'state-last-filter': cat = SEEN['category'] = cat or SEEN.get('category')
        if V == 'category-500' and cat == 'Crème Desserts': raise Fail(500, 'INTERNAL')
        if V == 'filter-ignored-one-category' and cat == 'Nuts & Seeds': cat = None
        meta = dict(list='filtered', category=cat) if cat else dict(list='bulk')
        rows = order([dict(r) for r in ROWS if cat in (None, r['category']) and r['upc'] != SEEN.get('gone')])
        if V == 'upc-eleven-digits' and not cat: rows[517]['upc'] = rows[517]['upc'][1:]
        return paged(rows, q, meta), meta
    if op == 'updateProducts':
        weeks = q.get('weeks', '1')
        if weeks not in ('1', '4', '13'): raise Fail(400, 'BAD_WEEKS')
        days = int('4' if V == 'delta-13-is-4' and weeks == '13' else weeks) * 7 + (V == 'delta-edge' and weeks == '1')
        rows = [p for p in PRODUCTS + REMOVED if p['days'] + (week() - AS_OF).days < days]
        if V == 'delta-misses-one' and weeks == '4': rows = [p for p in rows if p['days'] != 16]
        if V == 'delta-has-unchanged' and weeks == '4': rows.append(next(p for p in PRODUCTS if p['days'] == 200))
        out = [dict(upc=p['upc'], category=p['category'], changeType=p['kind'], changedOn=str(AS_OF - timedelta(days=p['days'])),
                    latest=dict(flavor=p['flavor'], size=p['size'])) for p in rows]
        if V == 'delta-zeros-lost':
            for r in out: r['upc'] = r['upc'].lstrip('0')
        SEEN[weeks] = SEEN.get(weeks, 0) + 1
        if V == 'state-second-differs' and SEEN[weeks] > 1: out.pop(3)
        meta = dict(weeks=int(weeks))
        return paged(order(out), q, meta), meta
    if op.startswith('products/'):
        upc = unquote(op[9:])
        if len(upc) != 12 or not upc.isascii() or not upc.isdigit(): raise Fail(400, 'BAD_UPC')
        p, k = BY_UPC.get(upc), PRODUCTS.index(BY_UPC[upc]) if upc in BY_UPC else -1
        if not p or V == 'lookup-zeros-404' and upc[0] == '0': raise Fail(404, 'UNKNOWN_UPC')
        SEEN['lookups'] = SEEN.get('lookups', 0) + 1
        if V == 'state-every-7th' and SEEN['lookups'] % 7 == 0: p = BY_UPC[SEEN.get('upc', upc)]
        SEEN['upc'] = upc
        if O == 'delisted' and k == 7:
            SEEN['gone'] = upc
            raise Fail(410, 'DELISTED')
        if V == 'lookup-error-in-200' and k % 40 == 12: return None, dict(error=dict(code='INTERNAL', message='no data'))
        if V == 'lookup-other' and k % 64 == 20: p = PRODUCTS[k + 1]
        flavor = 'Plain?' if V == 'lookup-old-value' and p['days'] < 28 and p['kind'] == 'C' else p['flavor']
        as_of = week() - timedelta(days=7 * (O == 'lag' and SEEN['lookups'] % 2 and p['days'] > 7))
        row = {n: p[n] for n in PUBLIC}
        return dict(row, characteristics=[dict(name='flavor', value=flavor), dict(name='size', value=p['size']), dict(name='brand', value=p['brand'])]), dict(asOf=str(as_of))
    raise Fail(404, 'NOT_FOUND')


def group_d(op, q):
    meta = dict(asOf=str(week()))
    brands = brand_rows()
    if op == 'BrandPerformance/Metadata':
        cats = {c: list(s) + (['Oat Milk'] if V == 'metadata-extra-subcategory' and c == 'Cereal' else []) for c, s in TREE.items()}
        mans = {}
        for m, b in BRANDS:
            if not (V == 'metadata-lacks-brand' and b == 'Tarn Green'): mans.setdefault(m, []).append(b)
        return dict(categories=[dict(category=c, subCategories=s) for c, s in cats.items()], manufacturers=[dict(manufacturer=m, brands=b) for m, b in mans.items()]), meta
    if op == 'BrandPerformance': names, rows = ('category', 'subCategory', 'manufacturer', 'brand'), brands
    elif op == 'CategoryPerformance' and V != 'op-v2': names, rows = ('category', 'subCategory'), category_rows()
    else: raise Fail(404, 'NOT_FOUND')
    if V == 'auth-one-op-refuses' and op == 'BrandPerformance': raise Fail(403, 'FORBIDDEN')
    for n in names:
        if q.get(n) and not (V == 'brand-filter-ignored-one' and q[n] == "O'Dell Select"): rows = [r for r in rows if r[n] == q[n]]
    return paged(order(rows), q, meta), meta


class Handler(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    disable_nagle_algorithm = True
    def log_message(self, *_): pass
    def do_GET(self): self.serve('GET')
    def do_POST(self): self.serve('POST')
    def do_PUT(self): self.serve('PUT')
    def do_DELETE(self): self.serve('DELETE')
    def do_HEAD(self):
        if O == 'head-refused': return self.send(501, b'', {})
        self.serve('HEAD')

    def serve(self, method):
        url = urlsplit(self.path)
        raw = self.rfile.read(int(self.headers.get('Content-Length') or 0))
        q = {k: v[0] for k, v in parse_qs(url.query, keep_blank_values=True).items()}
        extra = {}
        try:
            with LOCK: status, doc = 200, self.route(method, url.path, q, raw, extra)
        except Fail as f:
            status, doc = f.status, dict(error=dict(code=f.code, message=f.code.replace('_', ' ').lower()))
        if extra: status = 307
        self.send(status, json.dumps(doc, ensure_ascii=False).encode(), extra)

    def route(self, method, path, q, raw, extra):
        if self.headers.get('X-Api-Key') != KEY: raise Fail(401, 'NO_KEY')
        if O == 'redirect' and method == 'GET':
            if not path.endswith('/'):
                extra['Location'] = self.path.replace(path, path + '/', 1)
                return {}
            path = path[:-1]
        get = 'GET' if method == 'HEAD' else method
        if path.startswith('/webservices/'):
            op = path[13:]
            if (get == 'GET') != (op.startswith('get') or op == 'testService'): raise Fail(405, 'METHOD')
            return dict(data=group_a(get, op, q, raw))
        if path.startswith('/data-access/v1/'):
            if path[16:] not in B_OPS: raise Fail(404, 'NOT_FOUND')
            if get != 'POST': raise Fail(405, 'METHOD')
            try: body = json.loads(raw or b'{}')
            except ValueError: raise Fail(400, 'BAD_JSON')
            return dict(data=group_b(path[16:], body))
        for prefix, fn in (('/PLATFORMAPI/prodRef/v1/', group_c), ('/RetailMeasurement/v1/', group_d)):
            if path.startswith(prefix):
                if get != ('POST' if V == 'op-post-only' and path.endswith('allCategories') else 'GET'): raise Fail(405, 'METHOD')
                data, meta = fn(path[len(prefix):], q)
                if V == 'gzip-differs' and path.endswith('allProducts') and 'gzip' in self.headers.get('Accept-Encoding', ''): data = data[:-1]
                meta.pop('list', None)
                return dict(meta, data=None) if 'error' in meta else dict(meta=meta, data=data)
        raise Fail(404, 'NOT_FOUND')

    def send(self, status, body, extra):
        self.send_response(status)
        if len(body) > 600 and 'gzip' in self.headers.get('Accept-Encoding', ''):
            body = gzip.compress(body, 1)
            self.send_header('Content-Encoding', 'gzip')
        self.send_header('Content-Type', 'text/json; charset=utf-8' if O == 'content-type-text' else 'application/json; charset=utf-8')
        self.send_header('Content-Length', str(len(body)))
        for k, v in extra.items(): self.send_header(k, v)
        self.end_headers()
        if self.command != 'HEAD': self.wfile.write(body)


server = ThreadingHTTPServer(('127.0.0.1', args.port), Handler)
server.daemon_threads = True
print(f'listening on http://127.0.0.1:{server.server_port}', flush=True)
server.serve_forever()
