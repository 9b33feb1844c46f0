/** The reference profile with further declarations, for tests of optional declarations. */

import type { Profile } from '../src/profile/schema.ts';
import { patchedProfile } from '../src/selftest/patched-profile.ts';

/** The reference profile with a merge patch (RFC 7396) applied. */
export const patchedReference = (patch: { readonly [member: string]: unknown }): Promise<Profile> =>
  patchedProfile('reference', patch, 'amended.json');

const text = { type: 'string' };
const money = { type: 'number' };
const problem = { type: 'object', required: ['title', 'status'], properties: { status: { type: 'integer' } } };

/** The operations of group B whose responses differ by an id below the catalogue. */
export const DISTINGUISHED_ITEMS = {
  catalogue: {
    distinguishes: {
      dimension: [
        'POST /data-access/v1/Catalogue/Dimension/Attributes',
        'POST /data-access/v1/Catalogue/Dimension/Groups',
        'POST /data-access/v1/Catalogue/Dimension/Hierarchies',
        'POST /data-access/v1/Catalogue/Dimension/Rows',
      ],
      attribute: ['POST /data-access/v1/Catalogue/Attribute/Values'],
      group: ['POST /data-access/v1/Catalogue/Group/Levels'],
      hierarchy: ['POST /data-access/v1/Catalogue/Hierarchy/Levels'],
      level: [
        'POST /data-access/v1/Catalogue/Group/Level/Values',
        'POST /data-access/v1/Catalogue/Hierarchy/Level/Values',
      ],
    },
  },
};

/** A table of codes for the market of products. */
export const CODED_MARKET = {
  codes: { market: { US: 'US', CA: 'CA' } },
  operations: {
    'GET /PLATFORMAPI/prodRef/v1/allProducts': {
      response: { fields: { market: { at: '@.market', code: 'market', required: true } } },
    },
  },
};

/** Schemas of responses of the reference dialect for some operations of each group, the meanings of its statuses, and what its credentials cover. */
export const STATED_SCHEMAS = {
  authCovers: ['C', 'D'],
  products: { firstActiveBefore: ['activeOn', 'changedOn'] },
  statuses: { unknown: [404], malformed: [400], tooMany: [420] },
  operations: {
    'POST /webservices/drive': {
      response: { schemas: { '202': { type: 'object', required: ['jobId'], properties: { jobId: text } } } },
    },
    'POST /data-access/v1/Catalogues': {
      response: { schemas: { '2XX': { type: 'object', required: ['items'] }, default: problem } },
    },
    'GET /PLATFORMAPI/prodRef/v1/products/{upc}': {
      response: {
        schemas: {
          '200': {
            type: 'object',
            required: ['upc', 'characteristics'],
            properties: {
              upc: { type: 'string', pattern: '^\\d{12}$' },
              characteristics: { type: 'array', minItems: 1 },
            },
          },
          '404': problem,
        },
      },
    },
    'GET /RetailMeasurement/v1/CategoryPerformance': {
      response: {
        schemas: {
          '200': {
            type: 'object',
            required: ['asOf', 'rows'],
            properties: {
              asOf: { type: 'string', format: 'date' },
              rows: { type: 'array', items: { $ref: '#/$defs/row' } },
            },
            $defs: {
              row: {
                type: 'object',
                required: ['category', 'subCategory', 'sales4Weeks', 'sales12Weeks', 'sales52Weeks', 'salesLastYear'],
                properties: { category: text, sales4Weeks: money, sales12Weeks: money, sales52Weeks: money },
              },
            },
          },
        },
      },
    },
  },
};
