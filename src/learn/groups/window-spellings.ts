/** How services write 1, 4 and 13 weeks. */
export const WINDOW_SPELLINGS: readonly (readonly [string | number, string | number, string | number])[] = [
  [1, 4, 13],
  ['P1W', 'P4W', 'P13W'],
  ['1w', '4w', '13w'],
  ['1W', '4W', '13W'],
  ['LW', 'L4W', 'L13W'],
  ['L1W', 'L4W', 'L13W'],
  [7, 28, 91],
  ['7d', '28d', '91d'],
  ['P7D', 'P28D', 'P91D'],
  ['week', 'month', 'quarter'],
  ['W1', 'W4', 'W13'],
  ['W', 'M', 'Q'],
  ['1-week', '4-weeks', '13-weeks'],
  ['last-week', 'last-4-weeks', 'last-13-weeks'],
  ['LAST_WEEK', 'LAST_4_WEEKS', 'LAST_13_WEEKS'],
  ['1WEEK', '4WEEK', '13WEEK'],
];
