import { expect, onTestFinished, test } from 'vitest';
import { operationOf } from '../../src/contract/index.ts';
import { startSimulator } from '../server.ts';
import { CREDENTIAL_FAULTS } from './credentials.ts';

const DELTA = operationOf('GET /PLATFORMAPI/prodRef/v1/updateProducts').path;
const METADATA = operationOf('GET /RetailMeasurement/v1/BrandPerformance/Metadata').path;
const LOOK_UP = operationOf('GET /PLATFORMAPI/prodRef/v1/products/{upc}').path.replace('{upc}', '042100000177');
const PRODUCTS = { authorization: `Basic ${Buffer.from('products:p-41').toString('base64')}` };

/** Whether the SOAP dialect refuses a second request, after one with the credentials of its group. */
async function refuses(fault: string | undefined, path: string, query: string, headers: Record<string, string>) {
  const simulator = await startSimulator({ products: 60, dialect: 'soap', ...(fault !== undefined && { fault }) });
  onTestFinished(() => simulator.close());
  const textOf = async (target: string, sent: Record<string, string>) =>
    (await fetch(simulator.url + target, { headers: sent })).text();
  await textOf(`${path}?key=sales-41`, PRODUCTS);
  return (await textOf(path + query, headers)).includes('Client.Authentication');
}

test.each([
  ['credentials-not-needed-update-products', DELTA, '', {}],
  ['credentials-not-needed-retail', METADATA, '', {}],
  ['credentials-of-another-group', DELTA, '', { authorization: 'Bearer master-41' }],
  ['credentials-of-any-text', METADATA, '?key=aaaaa-77', {}],
  ['credentials-without-right-accepted', METADATA, '?key=reader-41', {}],
  ['credentials-unverified-look-up', LOOK_UP, '', { authorization: `Basic ${btoa('aaaaaaaa:a-77')}` }],
])('%s accepts what the dialect refuses', async (fault, path, query, headers) => {
  expect(await refuses(undefined, path, query, headers as Record<string, string>)).toBe(true);
  expect(await refuses(fault, path, query, headers as Record<string, string>)).toBe(false);
});

test('each fault of other dialects only has its test here', () => {
  const own = CREDENTIAL_FAULTS.filter((fault) => 'dialects' in fault);
  expect(own.map(({ name }) => name)).toHaveLength(6);
});
