/** A look-up by a string that is not 12 digits returns no product: sections 4.3 and 8. */
import { PRODUCT_LOOKUP } from '../../src/contract/index.ts';
import {
  copyResponse,
  decide,
  defineRule,
  describeResponse,
  findingIn,
  inconclusive,
  listNeeds,
  untested,
  upcShape,
} from '../../src/rule/index.ts';
import { hasProduct } from '../../src/rule/look-ups.ts';
import { hasSameContent, malformedUpcSteps, readingsByUpc, returnsProduct } from '../../src/rule/malformed-upcs.ts';

export const malformedUpc = defineRule({
  id: 'C.malformed-upc',
  statement: 'C.upc-12',
  basis: 'stated',
  since: '0.1.0',
  demands: 'A look-up by a string that is not 12 ASCII digits returns no product.',
  how: [
    'Two controls: a known UPC must return a product, and an unknown well-formed one shows the response without a product.',
    'Then malformed strings built from the known UPC are looked up; none may return a product.',
    'Any error status or empty response is correct.',
  ],
  subjects: [PRODUCT_LOOKUP],
  needs: () => [...listNeeds(PRODUCT_LOOKUP, 'characteristics'), ['upcExamples', 'allProducts.fields.upc']],
  probe: (_subject, declarations) => malformedUpcSteps(declarations),
  counterexample: ({ malformed, known }) => ({ malformed: copyResponse(malformed, known) }),
  judge(seen, { declarations }) {
    const readings = readingsByUpc(seen);
    const { unknown, known, malformed } = readings;
    const control = known.find(hasProduct);
    const [first] = known;
    if (!first) return untested('there is no known UPC');
    if (!control)
      return inconclusive(
        `the control failed: the known UPC ${first.inputs.upc} returns no characteristics (${describeResponse(first)})`,
      );
    if (unknown && hasProduct(unknown) && hasSameContent(unknown, control))
      return inconclusive(
        `the control failed: the unknown UPC ${unknown.inputs.upc} returns the same product as the known one`,
      );
    const returning = malformed.filter((reading) => returnsProduct(reading, readings));
    const responded = malformed.filter((reading) => reading.head);
    const note =
      declarations.upcAdmits.length > 0
        ? `the profile declares ${declarations.upcAdmits.join(', ')} in upc.admits, against section 8`
        : undefined;
    const expected = 'no product for a string that is not 12 ASCII digits';
    const findings = returning.map((reading) => {
      const text = String(reading.inputs.upc);
      return findingIn(
        reading,
        upcShape(text),
        expected,
        `${JSON.stringify(text.slice(0, 40))} returns characteristics`,
      );
    });
    return decide(
      { compared: responded.length, findings },
      {
        nothing: inconclusive('no look-up of a malformed UPC got a response'),
        evidence: { exchanges: responded.length + 2, rows: 1 },
        note,
      },
    );
  },
});
