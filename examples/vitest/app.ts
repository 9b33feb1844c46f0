/** A small product reference service (group C) as a fetch handler. Pass `app.fetch` where your app is made with Hono. */

interface Product {
  readonly upc: string;
  readonly category: string;
  readonly name: string;
  /** Weeks since its last change. */
  readonly changedWeeksAgo: number;
}

const PRODUCTS: readonly Product[] = Array.from({ length: 40 }, (_, at) => ({
  upc: String(10_000_000_000 + at * 7_919).padStart(12, '0'),
  category: at % 2 === 0 ? 'Cereal' : 'Snacks',
  name: `Product ${at}`,
  changedWeeksAgo: at % 20,
}));

const WINDOWS: Readonly<Record<string, number>> = { '1': 1, '4': 4, '13': 13 };
const listed = ({ upc, category }: Product) => ({ upc, category });
const error = (status: number, message: string) => Response.json({ error: message }, { status });

const ROUTES: Readonly<Record<string, (query: URLSearchParams) => Response>> = {
  allCategories: () => Response.json({ categories: [...new Set(PRODUCTS.map(({ category }) => category))] }),
  allProducts: (query) => {
    const wanted = query.get('category');
    return Response.json({ items: PRODUCTS.filter(({ category }) => !wanted || category === wanted).map(listed) });
  },
  updateProducts: (query) => {
    const weeks = WINDOWS[query.get('weeks') ?? '1'];
    if (weeks === undefined) return error(400, 'weeks is 1, 4 or 13');
    return Response.json({ items: PRODUCTS.filter(({ changedWeeksAgo }) => changedWeeksAgo < weeks).map(listed) });
  },
};

export async function app(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const [, route = '', upc] = /^\/PLATFORMAPI\/prodRef\/v1\/(\w+)(?:\/([^/]+))?$/.exec(pathname) ?? [];
  if (request.method !== 'GET') return error(405, 'only GET is allowed');
  if (route === 'products' && upc !== undefined) {
    const product = PRODUCTS.find((each) => each.upc === decodeURIComponent(upc));
    return product ? Response.json(product) : error(404, 'there is no such product');
  }
  const handler = upc === undefined && Object.hasOwn(ROUTES, route) ? ROUTES[route] : undefined;
  return handler ? handler(searchParams) : error(404, 'there is no such path');
}
