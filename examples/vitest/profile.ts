/** How this service fills what the document leaves open. */
import { defineProfile } from 'mdwi-conformance';

export const profile = defineProfile({
  name: 'example',
  implements: ['C'],
  examples: { upc: ['010000000000'] },
  statuses: { unknown: [404] },
  operations: {
    'GET /PLATFORMAPI/prodRef/v1/allCategories': {
      request: {},
      response: { rows: '$.categories[*]', fields: { category: '@' } },
    },
    'GET /PLATFORMAPI/prodRef/v1/allProducts': {
      request: { query: { category: '{category}' } },
      response: { rows: '$.items[*]', fields: { upc: '@.upc', category: '@.category' } },
    },
    'GET /PLATFORMAPI/prodRef/v1/products/{upc}': {
      request: {},
      response: { rows: '$', fields: { upc: '@.upc', category: '@.category', characteristics: '@.name' } },
    },
    'GET /PLATFORMAPI/prodRef/v1/updateProducts': {
      request: { query: { weeks: '{window}' } },
      response: { rows: '$.items[*]', fields: { upc: '@.upc', category: '@.category' } },
    },
  },
});
