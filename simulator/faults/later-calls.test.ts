import { expect, test } from 'vitest';
import { createInProcess } from '../in-process.ts';
import { LATER_CALL_FAULTS, LATER_CALLS, type LaterCalls, laterCall, laterCallNamed } from './later-calls.ts';

const C = '/PLATFORMAPI/prodRef/v1';

/** The responses of a simulator with a fault to requests with these paths, in this order. */
async function responsesOf(fault: string, paths: readonly string[]): Promise<{ status: number; text: string }[]> {
  const simulator = await createInProcess({ products: 20, fault });
  const responses = [];
  for (const path of paths) {
    const response = await simulator.fetch(simulator.url + path);
    responses.push({ status: response.status, text: await response.text() });
  }
  return responses;
}

test.each(Object.keys(LATER_CALLS) as LaterCalls[])('%s is counted per operation', async (calls) => {
  const paths = Array.from({ length: 20 }, (_, at) => (at % 2 ? '/webservices/testService' : `${C}/allCategories`));
  const responses = await responsesOf(`test-service-fails-${calls}`, paths);
  const isChanged = LATER_CALLS[calls];
  const expected = paths.map((_, at) => (at % 2 && isChanged((at + 1) / 2) ? 500 : 200));
  expect(responses.map(({ status }) => status)).toEqual(expected);
});

test('the simulators with one fault count apart', async () => {
  for (let nth = 1; nth <= 2; nth++)
    expect((await responsesOf('test-service-is-refused-from-call-2', ['/webservices/testService']))[0]?.status).toBe(
      200,
    );
});

test.each<[string, readonly string[]]>([
  ['all-categories', [`${C}/allCategories`]],
  ['all-products', [`${C}/allProducts`]],
  ['update-products', [`${C}/updateProducts?weeks=13`]],
  ['products', [`${C}/products/042100000177`]],
  ['performance-metadata', ['/RetailMeasurement/v1/BrandPerformance/Metadata']],
  ['brand-performance', ['/RetailMeasurement/v1/BrandPerformance']],
  ['get-all-prospect-filters', ['/webservices/getAllProspectFilters']],
  ['get-save-map', ['/webservices/getSaveMap?mapId=map-000001']],
])('the second response of %s lacks something of the first', async (name, [path = '']) => {
  const [first, second] = await responsesOf(`${name}-lacks-one-from-call-2`, [path, path]);
  expect(second?.status).toBe(200);
  expect(second?.text.length).toBeLessThan(first?.text.length ?? 0);
});

test('a response is that of the request before', async () => {
  const [tea, second] = await responsesOf('all-products-is-as-before-from-call-2', [
    `${C}/allProducts?category=Tea`,
    `${C}/allProducts`,
  ]);
  expect(second?.text).toBe(tea?.text);
});

test('each fault of the selftest is found by its name, and no other form is', () => {
  for (const { name, says } of LATER_CALL_FAULTS) expect(laterCallNamed(name)?.says).toBe(says);
  expect(laterCall('allProducts', 'fails', 'from-call-10').name).toBe('all-products-fails-from-call-10');
  expect(laterCallNamed('all-products-fails-from-call-7')).toBeUndefined();
});
