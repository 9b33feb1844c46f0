/** A string that is not 12 digits yields no product: sections 4.3 and 8. */

import { isUpc, PRODUCT_LOOKUP } from '../../src/contract/index.ts';
import {
  answerLike,
  defineRule,
  describeResponse,
  failed,
  nothingToJudge,
  passed,
  type Reading,
  type Row,
  type Step,
  step,
  undecided,
} from '../../src/rule/index.ts';
import { characteristics, hasProduct, knownUpcs } from '../../src/rule/look-ups.ts';
import {
  isPlainlyMalformed,
  isProductOf,
  type MalformedSteps,
  malformedFrom,
} from '../../src/rule/malformed-upc-steps.ts';

export const malformedUpc = defineRule({
  id: 'C.malformed-upc',
  statement: 'C.upc-12',
  basis: 'stated',
  since: '0.1.0',
  demands: 'A string that is not 12 ASCII digits does not yield a product.',
  how: 'Three legs: a known UPC must yield a product (control), an unknown well-formed one shows what “no product” looks like, and each malformed string built from the known one must not yield a product. Any refusal or empty answer is fine.',
  subjects: [PRODUCT_LOOKUP],
  needs: () => [
    'products.request',
    'products.rows',
    'products.fields.characteristics',
    ['upcExamples', 'allProducts.fields.upc'],
  ],
  probe(_subject, declares) {
    const folds = { product: characteristics };
    const unknown = step({
      operation: PRODUCT_LOOKUP,
      inputs: { upc: { value: declares.unknownUpc } },
      wants: 'answer',
      folds,
    });
    const bulk = knownUpcs(declares, 2);
    if (bulk) {
      const ask = (max: number, wants: 'answer' | 'any', choose?: (rows: readonly Row[]) => readonly Row[]) =>
        step({
          operation: PRODUCT_LOOKUP,
          each: { from: 'bulk', fold: 'some', as: { upc: 'upc' }, max, ...(choose && { choose }) },
          wants,
          folds,
        });
      const malform = (rows: readonly Row[]) =>
        rows.slice(0, 2).flatMap((row) => malformedFrom(String(row.upc), declares).map((upc): Row => ({ upc })));
      const steps: Record<string, Step> = {
        bulk: { ...bulk, spare: true },
        unknown: { ...unknown, spare: true },
        known: { ...ask(2, 'answer'), observes: ({ upc }) => isUpc(String(upc)) },
        malformed: { ...ask(80, 'any', malform), observes: ({ upc }) => isPlainlyMalformed(String(upc), declares) },
      };
      return steps as MalformedSteps;
    }
    const ask = (upc: string, wants: 'answer' | 'any') =>
      step({ operation: PRODUCT_LOOKUP, inputs: { upc: { value: upc } }, wants, folds });
    const known = declares.examples('upc').map(String).filter(isUpc).slice(0, 2);
    return Object.fromEntries([
      ['unknown', unknown],
      ...known.map((upc, at) => [`known${at}`, ask(upc, 'answer')]),
      ...[...new Set(known.flatMap((upc) => malformedFrom(upc, declares)))].map((upc, at) => [
        `malformed${at}`,
        ask(upc, 'any'),
      ]),
    ]) as MalformedSteps;
  },
  counterexample: ({ malformed, known }) => ({ malformed: answerLike(malformed, known) }),
  judge(seen, { declares }) {
    const named = (prefix: string) =>
      Object.entries(seen).flatMap(([name, readings]) => (name.startsWith(prefix) ? readings : []));
    const [unknown] = (seen.unknown ?? []) as readonly Reading<{ product: typeof characteristics }>[];
    const known = named('known');
    const control = known.find(hasProduct);
    const [first] = known;
    if (!first) return nothingToJudge('no UPC the service knows');
    if (!control) {
      return undecided(
        `the control failed: the known UPC ${first.inputs.upc} yields no characteristics (${describeResponse(first)})`,
      );
    }
    if (unknown && hasProduct(unknown) && unknown.observation?.digest === control.observation?.digest) {
      return undecided(
        `the control failed: the unknown UPC ${unknown.inputs.upc} yields the same product as the known one`,
      );
    }
    const malformed = named('malformed');
    const yielding = malformed.filter(
      (reading) =>
        hasProduct(reading) &&
        (unknown ? reading.observation?.digest !== unknown.observation?.digest : isProductOf(reading, known)),
    );
    const answered = malformed.filter((reading) => reading.head);
    if (yielding.length > 0) {
      return failed(
        yielding.slice(0, 10).map((reading) => ({
          expected: 'no product for a string that is not 12 ASCII digits',
          actual: `${JSON.stringify(String(reading.inputs.upc).slice(0, 40))} yields characteristics`,
          exchange: reading.exchange,
        })),
      );
    }
    if (answered.length === 0) return undecided('no malformed UPC was answered at all');
    const note =
      declares.upcAdmits.length > 0
        ? `the implementer admits ${declares.upcAdmits.join(', ')}, against section 8`
        : undefined;
    return passed({ exchanges: answered.length + 2, rows: 1, distinct: answered.length }, note);
  },
});
