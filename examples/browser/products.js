// The client of the page: it lists products, and tries again when the service is busy.
const URL_OF_LIST = 'https://api.example/PLATFORMAPI/prodRef/v1/allProducts';

export async function listProducts(attempts = 3) {
  const response = await fetch(URL_OF_LIST);
  if (response.status === 503 && attempts > 1) return listProducts(attempts - 1);
  if (!response.ok) throw new Error(`the list of products has status ${response.status}`);
  const { products } = await response.json();
  return products;
}

export async function showProducts(list) {
  const products = await listProducts();
  list.replaceChildren(...products.map(({ upc }) => Object.assign(document.createElement('li'), { textContent: upc })));
}
