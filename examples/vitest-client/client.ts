/** A small client of product reference data (group C). */
const PATH = '/PLATFORMAPI/prodRef/v1';
const ATTEMPTS = 3;

export interface Product {
  readonly upc: string;
  readonly description: string;
}

export class Client {
  readonly #baseUrl: string;
  readonly #fetch: (request: Request) => Promise<Response>;

  constructor(baseUrl: string, send: (request: Request) => Promise<Response> = fetch) {
    this.#baseUrl = baseUrl;
    this.#fetch = send;
  }

  /** The product with a UPC, which may lack its leading zeros. */
  product(upc: string): Promise<Product> {
    return this.#get(`/products/${upc.padStart(12, '0')}`) as Promise<Product>;
  }

  /** The products that changed in the last 1, 4 or 13 weeks. */
  async changed(weeks: 1 | 4 | 13): Promise<readonly Product[]> {
    const { products } = (await this.#get(`/updateProducts?weeks=${weeks}`)) as { products: readonly Product[] };
    return products;
  }

  async #get(path: string): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      const response = await this.#fetch(new Request(`${this.#baseUrl}${PATH}${path}`));
      if (response.ok) return response.json();
      await response.arrayBuffer();
      if (response.status !== 503 || attempt === ATTEMPTS) throw new Error(`${path} has status ${response.status}`);
    }
  }
}
