#!/usr/bin/perl
# Oxbow Panel Services: XML throughout, Basic credentials, offset and limit, a window in ISO 8601 durations,
# errors as `status="ERROR"` inside 200, numeric ids that each catalogue counts anew.
use strict;
use warnings;
use utf8;
use Encode qw(encode_utf8 decode_utf8);
use IO::Select;
use IO::Socket::INET;
use MIME::Base64;
use Socket qw(IPPROTO_TCP TCP_NODELAY);
use Time::Local qw(timegm);

my @VIOLATIONS = (
  ['op-missing', 'A', 'operation', 'getSaveMap is not there'],
  ['op-put', 'A', 'operation', 'updateLocation is PUT only'],
  ['path-lower-case', 'B', 'operation', 'Group/Levels is served below /catalogue/ in lower case only'],
  ['filter-contains', 'C', 'relation', 'the category filter matches names that contain the value'],
  ['filter-empty-percent', 'C', 'relation', 'the filter by the category with a percent sign finds nothing'],
  ['filter-drops-newest', 'C', 'rows', 'the filtered list of one category lacks its newest product'],
  ['bulk-lacks-newest', 'C', 'rows', 'the bulk list lacks the product that the delta of one week calls new'],
  ['bulk-offset-gap', 'C', 'rows', 'each page from offset 200 on begins one row too late'],
  ['bulk-foreign-market', 'C', 'values', 'three products of the bulk list are of the market CA'],
  ['bulk-stale', 'C', 'relation', 'the bulk list has a product last active 60 weeks ago'],
  ['upc-thirteen-digits', 'C', 'values', 'one product has a UPC of 13 digits'],
  ['delta-not-nested', 'C', 'relation', 'one row of the 1 week delta is not in the 4 week delta'],
  ['delta-edge-short', 'C', 'relation', 'the 13 week window begins a day too late'],
  ['delta-category-differs', 'C', 'relation', 'delta rows of one category name another category than the bulk list'],
  ['delta-repeats', 'C', 'rows', 'the 13 week delta has one product twice in place of another'],
  ['delta-kind-wrong', 'C', 'values', 'one product first sold years ago is called new'],
  ['lookup-unknown-known', 'C', 'relation', 'an unknown UPC returns the first product'],
  ['lookup-other-category', 'C', 'relation', 'the look-up names another category for products of one category'],
  ['lookup-no-characteristics', 'C', 'rows', 'the look-up of the last products has an empty list of characteristics'],
  ['lookup-error-in-200', 'C', 'error in success', 'the look-up of every product of one brand returns an error'],
  ['category-error-in-200', 'C', 'error in success', 'the filter by one category returns an error'],
  ['performance-error-in-200', 'D', 'error in success', 'BrandPerformance of one manufacturer returns an error'],
  ['figure-missing', 'D', 'values', 'one brand row has no 12-week dollars'],
  ['pct-of-other-row', 'D', 'values', 'the change of one row is the one of the row before'],
  ['pct-as-fraction', 'D', 'values', 'the change is a fraction in the rows of one category'],
  ['market-wrong-filtered', 'D', 'values', 'rows filtered by brand are of the market Total West'],
  ['metadata-brand-under-other', 'D', 'relation', 'the metadata lists one brand below another manufacturer'],
  ['metadata-lacks-category', 'D', 'relation', 'the metadata lacks the last category'],
  ['category-row-missing', 'D', 'rows', 'CategoryPerformance lacks one sub-category that has brand rows'],
  ['sum-off', 'D', 'relation', 'last-year dollars of one category row are not the sum of brand rows'],
  ['subcategory-ignored', 'D', 'relation', 'the sub-category filter of BrandPerformance is ignored'],
  ['filters-or', 'D', 'relation', 'manufacturer and category together return rows of either'],
  ['total-of-page', 'C', 'totals', 'total of the bulk list counts the page where it should count all'],
  ['echo-wrong', 'C', 'totals', 'the delta of 4 weeks says that its window is P91D'],
  ['state-cold', 'D', 'state', 'the first reading of CategoryPerformance is empty'],
  ['state-replica', 'D', 'state', 'every other reading of BrandPerformance has other figures in one row'],
  ['state-after-miss', 'C', 'state', 'a look-up after a miss misses, too'],
  ['job-same-id', 'A', 'jobs', 'two jobs of one kind get one id'],
  ['job-born-unknown', 'A', 'jobs', 'the id of a survey-list job is unknown to its status'],
  ['job-goes-back', 'A', 'jobs', 'a finished export job runs again'],
  ['job-other-kind', 'A', 'jobs', 'the report status knows the ids of drive jobs'],
  ['b-catalogue-ignored', 'B', 'group B', 'Attribute/Values answers from catalogue 1'],
  ['b-level-ignored', 'B', 'group B', 'Group/Level/Values always returns the values of the first level'],
  ['b-refresh-of-other', 'B', 'group B', 'RefreshDates of catalogue 3 names catalogue 2'],
  ['b-empty', 'B', 'group B', 'Dimension/Hierarchies of catalogue 2 is empty'],
  ['b-measure-unknown-accepted', 'B', 'group B', 'SharePrompts has prompts for any measure'],
  ['auth-one-op-refuses', 'B', 'credentials', 'RefreshDates refuses the credentials'],
);
my @ODDITIES = (
  ['order-reversed', 'every other list comes in reverse order'], ['empty-is-404', 'an empty list is 404'], ['lag', 'bulk list and look-up lag behind the delta by one data week'],
  ['trace-ids', 'every answer has another trace id in its root and its head'], ['limit-clamped', 'a page has 40 rows at most'], ['delisted', 'the delta names two products as removed that the look-up still knows'],
  ['no-keep-alive', 'every connection closes after one answer'], ['pretty', 'XML is indented and has comments'],
);
my ($port, $V, $O) = (0, '', '');
while (defined(my $a = shift @ARGV)) {
  if ($a eq '--list') {
    binmode STDOUT, ':utf8';
    print join("\t", 'violation', @$_), "\n" for @VIOLATIONS;
    print join("\t", 'oddity', $_->[0], 'ABCD', '', $_->[1]), "\n" for @ODDITIES;
    exit;
  }
  elsif ($a eq '--port') { $port = shift @ARGV }
  elsif ($a eq '--violation') { $V = shift @ARGV }
  elsif ($a eq '--oddity') { $O = shift @ARGV }
}
die "unknown violation\n" if $V && !grep { $_->[0] eq $V } @VIOLATIONS;
die "unknown oddity\n" if $O && !grep { $_->[0] eq $O } @ODDITIES;

# ---- data -------------------------------------------------------------------------------------------------------
my @TREE = (
  ['Tea', 'Black', 'Green', 'Herbal'], ['Tea & Coffee Gifts', 'Boxes', 'Tins'], ['Sugar 100% Cane', 'White', 'Brown'], ['Pâté/Spreads', 'Meat', 'Vegetable'],
  ["Kids' Snacks", 'Bars', 'Chips', 'Crackers'], ['Oil; Vinegar', 'Olive', 'Wine'], ['Soup "Home Style"', 'Cans', 'Cups'], ['Water', 'Still', 'Sparkling'],
);
my @SUBS = map { my ($c, @s) = @$_; map { [$c, $_] } @s } @TREE;
my %MAKER = ('Lark' => 'Lark Foods', 'Lark Gold' => 'Lark Foods', 'Mill & Weir' => 'Weir Bros.', 'Weir Organic' => 'Weir Bros.', 'Pont' => 'Pont <Intl>', 'Sable' => 'Sable Inc',
  'Sable Zero' => 'Sable Inc', 'Ottoline' => 'Ottoline', 'Ottoline Kids' => 'Ottoline', 'Dunmore' => 'Dunmore/Ross', 'Ross' => 'Dunmore/Ross');
my @BRANDS = sort keys %MAKER;
my $AS_OF = timegm(0, 0, 0, 7, 10, 2026);    # Saturday, 7 November 2026
sub day { my @t = gmtime($AS_OF - 86400 * shift); sprintf '%04d%02d%02d', $t[5] + 1900, $t[4] + 1, $t[3] }

my (@products, %by_upc);
for my $i (1 .. 420) {
  my ($s, $b) = ($SUBS[$i * 5 % @SUBS], $BRANDS[$i * 7 % @BRANDS]);
  my $age = ($i * 53) % 359;
  my $upc = sprintf '%012d', $i % 4 == 0 ? 7_300_000 + $i * 1013 : 88_400_000_000 + $i * 1_000_003;
  my $new = $i % 8 == 0;
  push @products, { upc => $upc, name => "$b $s->[1] No. $i", category => $s->[0], sub => $s->[1], brand => $b, maker => $MAKER{$b}, market => 'US', age => $age,
    first => $new ? $age : 500 + $i, active => $i % 300, kind => $new ? 'NEW' : 'CHG', pack => 1 + $i % 12, grade => chr(65 + $i % 5) };
}
$by_upc{ $_->{upc} } = $_ for @products;
my ($newest) = sort { $a->{age} <=> $b->{age} } grep { $_->{kind} eq 'NEW' } @products;
my %fig;
for my $p (@products) { my $k = join "\t", @$p{qw(category sub maker brand)}; $fig{$k} += 900.25 + substr($p->{upc}, 5) % 7000 }
my @fig;
{ my $n = 0; for my $k (sort keys %fig) { my $f = $fig{$k}; $n++;
    my $y = sprintf '%.2f', $f * 12.5 + $n; push @fig, [[split /\t/, $k], [$f, $f * 3 + $n, $y, sprintf('%.2f', $y * (0.75 + $n % 60 / 100))]] } }

sub tree {    # numeric ids, counted anew in each catalogue
  my ($code, $name, @dims) = @_;
  my %c = (id => $code, name => $name, dims => {});
  my $n = 10;
  for my $d (1 .. @dims) {
    my $dim = $c{dims}{$d} = { id => $d, name => $dims[$d - 1] };
    for my $kind (qw(attributes groups hierarchies rows)) {
      for my $k (1 .. ($kind eq 'rows' ? 4 + $code : 2)) {
        my $id = ++$n;
        my $node = $dim->{$kind}{$id} = { id => $id, name => "$dims[$d-1] " . substr($kind, 0, -1) . " $k ($name)" };
        if ($kind eq 'attributes') { $node->{values}{$_} = { id => $_, name => "$node->{name} value $_" } for 1 .. 2 + $k + $code }
        if ($kind =~ /groups|hier/) { for my $l (1 .. 1 + $k) { my $lv = $node->{levels}{$l} = { id => $l, name => "$node->{name} level $l" };
            $lv->{values}{ 100 * $l + $_ } = { id => 100 * $l + $_, name => "$lv->{name} value $_" } for 1 .. $l + 1 + $code } }
      }
    }
  }
  return \%c;
}
my %CAT = map { $_->{id} => $_ } (tree(1, 'Grocery', 'Item', 'Geography', 'Fact'), tree(2, 'Beverage', 'Item', 'Week', 'Fact'), tree(3, 'Snacks & more', 'Item', 'Fact'));

# ---- XML --------------------------------------------------------------------------------------------------------
sub esc { my $t = shift // ''; $t =~ s/&/&amp;/g; $t =~ s/</&lt;/g; $t =~ s/>/&gt;/g; $t =~ s/"/&quot;/g; $t }
sub el { my ($n, $at, @kids) = @_; my $a = join '', map { qq( $_=") . esc($at->{$_}) . '"' } sort keys %$at; my $nl = $O eq 'pretty' ? "\n  " : ''; @kids ? "<$n$a>" . join($nl, '', @kids) . "</$n>" : "<$n$a/>" }
sub txt { my ($n, $t) = @_; "<$n>" . esc($t) . "</$n>" }
sub money { my $t = sprintf '%.2f', shift; 1 while $t =~ s/^(-?\d+)(\d{3})/$1,$2/; $t }
sub failure { die { code => $_[0], text => $_[1] } }

my (%seen, %jobs, $serial);
sub paged {
  my ($q, $list, $attrs, @rows) = @_;
  my ($from, $n) = ($q->{offset} // 0, $q->{limit} // 60);
  failure('E400', 'offset and limit are numbers') if "$from$n" !~ /^\d+$/ || $n == 0;
  $n = 200 if $n > 200;
  $n = 40 if $n > 40 && $O eq 'limit-clamped';
  die { http => 404, code => 'E404', text => 'nothing found' } if !@rows && $O eq 'empty-is-404';
  my $total = @rows;
  @rows = reverse @rows if $O eq 'order-reversed' && $list ne 'products';
  $from++ if $V eq 'bulk-offset-gap' && $list eq 'products' && !defined $q->{category} && $from >= 200;
  my @part = $from < @rows ? @rows[$from .. ($from + $n > @rows ? $#rows : $from + $n - 1)] : ();
  $total = @part if $V eq 'total-of-page' && $list eq 'products';
  return el($list, { %$attrs, offset => $from, count => scalar @part, total => $total }, @part);
}

# ---- group C ----------------------------------------------------------------------------------------------------
sub product_attrs { my $p = shift; return { upc => $p->{upc}, market => $p->{market}, changed => day($O eq 'lag' && $p->{age} < 7 ? 200 : $p->{age}), first => day($p->{first}), lastActive => day($O eq 'lag' && $p->{active} < 7 ? 7 : $p->{active}) } }
sub group_c {
  my ($op, $q) = @_;
  my $week = { dataWeek => '2026W45', asOf => day(0) };
  if ($op eq 'allCategories') {
    return el('categories', $week, map { my ($c, @s) = @$_; my $n = grep { $_->{category} eq $c } @products; el('category', { name => $c, products => $n }, map { txt('subCategory', $_) } @s) } @TREE);
  }
  if ($op eq 'allProducts') {
    my $c = $q->{category};
    failure('E500', 'try again') if $V eq 'category-error-in-200' && defined $c && $c =~ /^Oil/;
    my @p = @products;
    @p = grep { !defined $c || ($V eq 'filter-contains' ? index($_->{category}, $c) >= 0 : $_->{category} eq $c) } @p;
    @p = () if $V eq 'filter-empty-percent' && defined $c && $c =~ /%/;
    @p = grep { $_ != $newest } @p if $V eq 'bulk-lacks-newest' || $V eq 'filter-drops-newest' && defined $c;
    if ($O eq 'lag') { $week = { dataWeek => '2026W44', asOf => day(7) }; @p = grep { $_->{first} >= 7 } @p }
    my $n = 0;
    return paged($q, 'products', { %$week, defined $c ? (category => $c) : () }, map { my $p = $_; my $at = product_attrs($p); $n++;
      $at->{market} = 'CA' if $V eq 'bulk-foreign-market' && $p->{upc} =~ /77.$/ && $n > 100;
      $at->{upc} = "0$p->{upc}" if $V eq 'upc-thirteen-digits' && $n == 288 && !defined $c;
      $at->{lastActive} = day(420) if $V eq 'bulk-stale' && $p == $products[250];
      el('product', $at, txt('name', $p->{name}), txt('category', $p->{category}), txt('brand', $p->{brand})) } @p);
  }
  if ($op eq 'updateProducts') {
    my $w = $q->{window} // 'P7D';
    my $days = { P7D => 7, P28D => 28, P91D => 91 }->{$w} // failure('E400', 'window is P7D, P28D or P91D');
    my @p = grep { $_->{age} < $days - ($V eq 'delta-edge-short' && $days == 91 ? 1 : 0) } @products;
    @p = grep { $_ != $p[0] && $_->{age} != 3 } @p if $V eq 'delta-not-nested' && $days == 28;
    $p[20] = $p[21] if $V eq 'delta-repeats' && $days == 91;
    my $old; ($old) = grep { $_->{kind} eq 'CHG' && $_->{age} < 28 && $_->{age} > 7 } @products if $V eq 'delta-kind-wrong';
    my @gone = $O eq 'delisted' ? map { el('product', { upc => $_->{upc}, change => 'DEL', changed => day(1) }, txt('category', $_->{category})) } @products[400, 401] : ();
    @p = grep { $_ != $products[400] && $_ != $products[401] } @p if @gone;
    return paged($q, 'changes', { %$week, window => ($V eq 'echo-wrong' && $days == 28 ? 'P91D' : $w) }, (map { my $p = $_;
      el('product', { upc => $p->{upc}, change => ($old && $p == $old ? 'NEW' : $p->{kind}), changed => day($p->{age}) },
        txt('category', $V eq 'delta-category-differs' && $p->{category} eq 'Water' ? 'Tea' : $p->{category})) } @p), @gone);
  }
  if ($op =~ m{^products/(.*)$}) {
    my $upc = $1;
    failure('E400', 'a UPC has 12 digits') if $upc !~ /^\d{12}$/;
    my $p = $by_upc{$upc};
    $p = undef if $V eq 'state-after-miss' && ($seen{miss} // 0) > 0;
    $p //= $products[0] if $V eq 'lookup-unknown-known';
    if (!$p) { $seen{miss} = $by_upc{$upc} ? 0 : 1; failure('E404', 'no such product') }
    $seen{miss} = 0;
    failure('E500', 'try again') if $V eq 'lookup-error-in-200' && $p->{brand} eq 'Ross';
    my $c = $V eq 'lookup-other-category' && $p->{category} =~ /^Soup/ ? 'Water' : $p->{category};
    my @ch = $V eq 'lookup-no-characteristics' && $p->{upc} ge $products[-9]{upc} ? () :
      map { el('characteristic', { name => $_->[0] }, esc($_->[1])) } ['Brand', $p->{brand}], ['Manufacturer', $p->{maker}], ['Segment', $p->{sub}], ['Pack', $p->{pack}], ['Grade', $p->{grade}];
    $week = { dataWeek => '2026W44', asOf => day(7) } if $O eq 'lag';
    failure('E404', 'no such product') if $O eq 'lag' && $p->{first} < 7;
    my $at = product_attrs($p);
    return el('product', { %$at, %$week }, txt('name', $p->{name}), txt('category', $c), el('characteristics', {}, @ch));
  }
  die { http => 404, code => 'E404', text => 'no such path' };
}

# ---- group D ----------------------------------------------------------------------------------------------------
sub perf_row {
  my ($tag, $names, $f, %at) = @_;
  my ($d4, $d12, $d52, $ly) = @$f;
  my $pct = sprintf '%+.1f', ($d52 - $ly) / $ly * 100;
  return el($tag, { market => 'Total US', %at }, (map { txt($_->[0], $_->[1]) } @$names), el('sales', { currency => 'USD' },
    txt('w4', money($d4)), defined $d12 ? txt('w12', money($d12)) : txt('w12', ''), txt('w52', money($d52)), txt('lastYear', money($ly)), txt('change', ($at{pct} // $pct) . '%')));
}
sub group_d {
  my ($op, $q) = @_;
  my $at = { market => 'Total US', asOf => day(0) };
  if ($op eq 'BrandPerformance/Metadata') {
    my %m; push @{ $m{ $V eq 'metadata-brand-under-other' && $_ eq 'Ross' ? 'Sable Inc' : $MAKER{$_} } }, $_ for @BRANDS;
    my @t = $V eq 'metadata-lacks-category' ? @TREE[0 .. $#TREE - 1] : @TREE;
    return el('metadata', $at, (map { my ($c, @s) = @$_; el('category', { name => $c }, map { txt('subCategory', $_) } @s) } @t),
      map { el('manufacturer', { name => $_ }, map { txt('brand', $_) } @{ $m{$_} }) } sort keys %m);
  }
  my @rows;
  if ($op eq 'BrandPerformance') {
    failure('E500', 'try again') if $V eq 'performance-error-in-200' && ($q->{manufacturer} // '') eq 'Dunmore/Ross';
    my $n = 0; $seen{brand}++;
    my $prev;
    for my $r (@fig) {
      my ($k, $f) = @$r;
      my @f = @$f; my %row; $n++;
      my $pct = sprintf '%+.1f', ($f[2] - $f[3]) / $f[3] * 100;
      $f[1] = undef if $V eq 'figure-missing' && $n == 44;
      $f[0] += 3000 if $V eq 'state-replica' && $n == 12 && $seen{brand} % 2 == 0;
      $row{pct} = $prev if $V eq 'pct-of-other-row' && $n == 71;
      $row{pct} = sprintf '%+.4f', $pct / 100 if $V eq 'pct-as-fraction' && $k->[0] eq 'Water';
      $prev = $pct;
      my %want = (category => 0, subCategory => 1, manufacturer => 2, brand => 3);
      delete $want{subCategory} if $V eq 'subcategory-ignored';
      my @on = grep { defined $q->{$_} && $q->{$_} ne '' } keys %want;
      my $hits = grep { $k->[$want{$_}] eq $q->{$_} } @on;
      next if $V eq 'filters-or' && @on > 1 ? !$hits : $hits < @on;
      $row{market} = 'Total West' if $V eq 'market-wrong-filtered' && $q->{brand};
      my $pctv = delete $row{pct};
      my $x = perf_row('brandSales', [[category => $k->[0]], [subCategory => $k->[1]], [manufacturer => $k->[2]], [brand => $k->[3]]], \@f, %row);
      $x =~ s{<change>[^<]*}{<change>$pctv%} if defined $pctv;
      push @rows, $x;
    }
  } elsif ($op eq 'CategoryPerformance') {
    my %sum;
    for my $r (@fig) { my $k = join "\t", @{ $r->[0] }[0, 1]; $sum{$k}[$_] += $r->[1][$_] for 0 .. 3 }
    $sum{"Water\tStill"}[3] += 5000 if $V eq 'sum-off';
    delete $sum{"Water\tSparkling"} if $V eq 'category-row-missing';
    for my $k (sort keys %sum) {
      my ($c, $s) = split /\t/, $k;
      next if ($q->{category} // $c) ne $c || ($q->{subCategory} // $s) ne $s;
      push @rows, perf_row('categorySales', [[category => $c], [subCategory => $s]], $sum{$k});
    }
    @rows = () if $V eq 'state-cold' && !$seen{cold}++;
  } else { die { http => 404, code => 'E404', text => 'no such path' } }
  return paged($q, 'performance', $at, @rows);
}

# ---- groups A and B ---------------------------------------------------------------------------------------------
my %START = (createlist => 'Prospect', drive => 'Drive', executeReport => 'Report', fileenhancement => 'FileEnhancement', importLocation => 'Location', updateLocation => 'Location', mapExport => 'MapExport', pullVariable => 'PullVar');
my @STATE = ('WAITING', 'WORKING', 'DONE');
sub group_a {
  my ($m, $op, $q, $form) = @_;
  die { http => 405, code => 'E405', text => 'method' } if $V eq 'op-put' && $op eq 'updateLocation' && $m ne 'PUT';
  die { http => 405, code => 'E405', text => 'method' } if ($op =~ /^(get|test)/) != ($m eq 'GET') && !($V eq 'op-put' && $op eq 'updateLocation');
  if (my $kind = $START{$op}) {
    my $id = $V eq 'job-same-id' && $kind eq 'FileEnhancement' ? 'FileEnhancement#1' : "$kind#" . ++$serial;
    $jobs{$id} = { kind => $kind, polls => 0 } unless $V eq 'job-born-unknown' && $kind eq 'Prospect';
    return el('job', { id => $id, state => 'WAITING' });
  }
  return el('businessCount', {}, txt('count', '48211')) if $op eq 'businesscount';
  return el('survey', { id => 'S1' }) if $op eq 'createSurvey';
  return el('service', { name => 'oxbow', up => 'yes' }) if $op eq 'testService';
  return el('filters', {}, map { el('filter', { id => $_ }, "Filter $_") } 1 .. 4) if $op eq 'getAllProspectFilters';
  return el('map', { id => 'M3' }) if $op eq 'getSaveMap' && $V ne 'op-missing';
  return el('thematic', { id => 'T5' }) if $op eq 'getSaveThematicId';
  if ($op =~ /^get(\w+)JobStatus$/ && grep { $_ eq $1 } values %START) {
    my $kind = $1;
    my $job = $jobs{ $q->{job} // failure('E400', 'job is missing') };
    failure('E404', 'no such job') if !$job || $job->{kind} ne $kind && !($V eq 'job-other-kind' && $kind eq 'Report' && $job->{kind} eq 'Drive');
    my $n = ++$job->{polls};
    $n = $n > 2 ? ($V eq 'job-goes-back' && $kind eq 'MapExport' && $n % 2 ? 1 : 2) : $n;
    return el('job', { id => $q->{job}, state => $STATE[$n] });
  }
  die { http => 404, code => 'E404', text => 'no such service' };
}
sub nodes { my ($list, $item, $h) = @_; el($list, {}, map { el($item, { id => $_, name => $h->{$_}{name} }) } sort { $a <=> $b } keys %{ $h // {} }) }
sub group_b {
  my ($op, $x) = @_;
  my $c = $x->{catalogue};
  return el('catalogues', {}, map { el('catalogue', { id => $_, name => $CAT{$_}{name} }) } grep { !defined $c || $c eq '' || $c eq $_ } sort keys %CAT) if $op eq 'Catalogues';
  failure('E400', 'catalogue is missing') unless defined $c;
  my $cat = $CAT{$c} // failure('E404', 'no such catalogue');
  $cat = $CAT{1} if $V eq 'b-catalogue-ignored' && $op eq 'Catalogue/Attribute/Values';
  return nodes('dimensions', 'dimension', $cat->{dims}) if $op eq 'Catalogue/LogicalDimensions';
  if ($op eq 'Catalogue/RefreshDates') {
    die { http => 403, code => 'E403', text => 'forbidden' } if $V eq 'auth-one-op-refuses';
    return el('refreshDates', { catalogue => $V eq 'b-refresh-of-other' && $c == 3 ? 2 : $c }, txt('refreshDate', day($c == 1 ? 0 : 7 * $c)));
  }
  if ($op eq 'Catalogue/Measure/SharePrompts') {
    my ($m) = grep { $_ } map { $_->{name} eq 'Fact' ? $_->{rows}{ $x->{measure} // '' } : undef } values %{ $cat->{dims} };
    $m //= { id => $x->{measure} } if $V eq 'b-measure-unknown-accepted';
    return $m ? el('sharePrompts', { measure => $m->{id} }, map { el('prompt', { id => "$m->{id}$_", name => "Share $_" }) } 1, 2) : failure('E404', 'no such measure');
  }
  my $d = $cat->{dims}{ $x->{dimension} // '' } // failure('E404', 'no such dimension');
  my $pick = sub { my ($h, $k) = @_; $h->{ $x->{$k} // '' } // failure('E404', "no such $k") };
  if ($op =~ m{^Catalogue/Dimension/(Attributes|Groups|Hierarchies|Rows)$}) {
    my $k = lc $1;
    return el('hierarchies', {}) if $V eq 'b-empty' && $k eq 'hierarchies' && $c == 2;
    return nodes($k, { attributes => 'attribute', groups => 'group', hierarchies => 'hierarchy', rows => 'row' }->{$k}, $d->{$k});
  }
  return nodes('values', 'value', $pick->($d->{attributes}, 'attribute')->{values}) if $op eq 'Catalogue/Attribute/Values';
  if ($op =~ m{^Catalogue/(Group|Hierarchy)/(Levels|Level/Values)$}) {
    my ($k, $what) = (lc $1, $2);
    my $node = $pick->($d->{ $k eq 'group' ? 'groups' : 'hierarchies' }, $k);
    return nodes('levels', 'level', $node->{levels}) if $what eq 'Levels';
    $x->{level} = 1 if $V eq 'b-level-ignored' && $k eq 'group';
    return nodes('values', 'value', $pick->($node->{levels}, 'level')->{values});
  }
  die { http => 404, code => 'E404', text => 'no such path' };
}

# ---- HTTP -------------------------------------------------------------------------------------------------------
sub unpct { my $t = shift; $t =~ s/\+/ /g; $t =~ s/%([0-9A-Fa-f]{2})/chr hex $1/ge; decode_utf8($t) }
sub pairs { my $t = shift // ''; return { map { my ($k, $v) = split /=/, $_, 2; (unpct($k), unpct($v // '')) } grep { length } split /&/, $t } }
sub unxml { my $t = shift; my %u = (lt => '<', gt => '>', amp => '&', quot => '"', apos => "'"); $t =~ s/&(\w+);/$u{$1}/g; $t }
sub answer {
  my ($m, $target, $h, $body) = @_;
  my ($path, $query) = split /\?/, $target, 2;
  my $http = 200;
  my $xml = eval {
    die { http => 401, code => 'E401', text => 'credentials' } unless ($h->{authorization} // '') eq 'Basic ' . encode_base64('oxbow:river', '');
    my $get = $m eq 'HEAD' ? 'GET' : $m;
    my $q = pairs($query);
    if ($path =~ m{^/webservices/(\w+)$}) { group_a($get, $1, $q, pairs($body)) }
    elsif ($path =~ m{^/data-access/v1/([Cc]atalogue.*)$}) {
      my $op = $1;
      if ($V eq 'path-lower-case' && $op =~ m{^catalogue/Group/Levels$|^Catalogue/Group/Levels$}) { $op eq 'catalogue/Group/Levels' ? ($op = 'Catalogue/Group/Levels') : die { http => 404, code => 'E404', text => 'no such path' } }
      elsif ($op =~ /^c/) { die { http => 404, code => 'E404', text => 'no such path' } }
      die { http => 405, code => 'E405', text => 'method' } if $get ne 'POST';
      my %x; $x{$1} = unxml(decode_utf8($2)) while $body =~ m{<(catalogue|dimension|attribute|group|hierarchy|level|measure)>([^<]*)</}g;
      group_b($op, \%x);
    }
    elsif ($path =~ m{^/(PLATFORMAPI/prodRef|RetailMeasurement)/v1/(.+)$}) {
      my ($g, $op) = ($1, $2);
      die { http => 405, code => 'E405', text => 'method' } if $get ne 'GET';
      $g eq 'RetailMeasurement' ? group_d($op, $q) : group_c($op, $q);
    }
    else { die { http => 404, code => 'E404', text => 'no such path' } }
  };
  my $status = 'OK';
  if (my $e = $@) {
    die $e unless ref $e;
    ($http, $status, $xml) = ($e->{http} // 200, 'ERROR', el('error', { code => $e->{code} }, esc($e->{text})));
  }
  my $out = encode_utf8(qq(<?xml version="1.0" encoding="UTF-8"?>\n) . ($O eq 'pretty' ? "<!-- oxbow & co -->\n" : '') . el('oxbow', { status => $status, $O eq 'trace-ids' ? (trace => ++$serial) : () }, $xml) . "\n");
  my $close = $O eq 'no-keep-alive' ? "Connection: close\r\n" : '';
  return "HTTP/1.1 $http Oxbow\r\nContent-Type: application/xml; charset=utf-8\r\n${close}Content-Length: " . length($out) . "\r\n\r\n" . ($m eq 'HEAD' ? '' : $out);
}

$SIG{PIPE} = 'IGNORE';
my $server = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $port, Listen => 64, ReuseAddr => 1) or die "cannot listen: $!\n";
$| = 1;
print 'listening on http://127.0.0.1:' . $server->sockport . "\n";
my ($select, %in) = (IO::Select->new($server));
while (1) {
  for my $s ($select->can_read) {
    if ($s == $server) { my $c = $server->accept or next; setsockopt $c, IPPROTO_TCP, TCP_NODELAY, 1; $select->add($c); $in{$c} = ''; next }
    my $n = sysread $s, $in{$s}, 65536, length $in{$s};
    if (!$n) { $select->remove($s); delete $in{$s}; close $s; next }
    while ($in{$s} =~ /^(.*?)\r\n\r\n/s) {
      my ($head, $at) = ($1, length($1) + 4);
      my ($first, @lines) = split /\r\n/, $head;
      my %h = map { my ($k, $v) = split /:\s*/, $_, 2; (lc $k, $v) } @lines;
      my $body;
      if (($h{'transfer-encoding'} // '') eq 'chunked') {
        my ($rest, $got, $done) = (substr($in{$s}, $at), '', 0);
        while ($rest =~ /^([0-9a-fA-F]+)\r\n/) { my $len = hex $1; my $skip = length($1) + 2; last if length $rest < $skip + $len + 2; $got .= substr $rest, $skip, $len; $rest = substr $rest, $skip + $len + 2; $done = 1, last if !$len }
        last if !$done;
        ($body, $in{$s}) = ($got, $rest);
      } else {
        my $len = $h{'content-length'} // 0;
        last if length $in{$s} < $at + $len;
        ($body, $in{$s}) = (substr($in{$s}, $at, $len), substr($in{$s}, $at + $len));
      }
      my ($m, $t) = split / /, $first;
      my $out = answer($m, $t, \%h, $body);
      while (length $out) { my $w = syswrite $s, $out; last unless $w; substr($out, 0, $w, '') }
      if ($O eq 'no-keep-alive') { $select->remove($s); delete $in{$s}; close $s; last }
    }
  }
}
