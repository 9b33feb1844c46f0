/**
 * The names of the world. They test encoding on purpose: they contain spaces, ampersands, quotes, non-ASCII letters, plus,
 * slash, percent and comma, and some names begin with another whole name.
 */

export const CATEGORY_NAMES = {
  Tea: ['Black Tea', 'Green Tea', 'Organic'],
  'Tea & Infusions': ['Herbal Infusions', 'Fruit Infusions'],
  Coffee: ['Ground Coffee', 'Instant Coffee', 'Organic'],
  "Baker's Goods": ['Bread', 'Cakes & Pastries'],
  'Crème Desserts': ['Crème Brûlée', 'Puddings'],
  '12" Pizza': ['Frozen Pizza', 'Fresh Pizza'],
  'Milk+Cream': ['Milk', 'Cream'],
  'Snacks/Chips': ['Potato Chips', 'Tortilla Chips'],
  '100% Juice': ['Orange Juice', 'Apple Juice'],
  'Salt, Spices': ['Salt', 'Spices'],
  'Pet Food': ['Cat Food', 'Dog Food'],
  'Household Cleaning': ['Surface Cleaners', 'Laundry'],
  'Seasonal Gifts': ['Gift Boxes'],
} as const satisfies Record<string, readonly string[]>;

/** A listed category without products. */
export const EMPTY_CATEGORY = 'Seasonal Gifts';

/** Two manufacturers have a `House Brand`: the name of a brand does not identify its manufacturer. */
export const BRAND_NAMES = {
  Acme: ['Sun', 'House Brand'],
  'Acme Foods': ['Sunny & Bright', 'Acme Classic'],
  "O'Hara Foods": ["O'Hara's", 'Green Isle'],
  'Nestor & Sons': ['Nestor', 'Old Mill'],
  'Müller Brüder': ['Müller', 'Süßwerk'],
  'North+South': ['N+S', 'Meridian'],
  'Half/Half Dairy': ['Half/Half', 'House Brand'],
  '5% Club': ['5% Better', 'Clubhouse'],
  'Smith, Jones': ['S, J & Co', 'Everyday'],
  'The "Corner" Company': ['Corner "Best"', 'Round the Corner'],
} as const satisfies Record<string, readonly string[]>;

export const PROSPECT_FILTER_NAMES = ['Industry', 'Employees', 'Annual Sales', 'Years in Business'] as const;

export const numberedId = (prefix: string, at: number, width: number): string =>
  `${prefix}-${String(at).padStart(width, '0')}`;
