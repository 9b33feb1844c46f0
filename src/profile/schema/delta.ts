/** What decides whether a delta contains a product, and what its rows show: openings of section 8. */
import { z } from 'zod';
import { DELTA_DATES, LATEST_VALUES } from '../../contract/index.ts';
import { fact, flag, reject } from './keys.ts';

/** An empty list: the service shows no change of this kind. */
const kindTexts = z.array(z.string().min(1)).optional();

export const delta = z
  .strictObject({
    dates: fact(
      z.array(z.enum(DELTA_DATES)).min(1),
      'The dates of a product that decide whether a delta lists it: a window contains the products with one of these dates within it, and no others.',
    ),
    kinds: fact(
      z
        .strictObject({
          new: kindTexts.describe('Texts of new products.'),
          changed: kindTexts.describe('Texts of changed products.'),
          removed: kindTexts.describe('Texts of removed products.'),
        })
        .superRefine((kinds, context) => {
          const texts = Object.values(kinds).flatMap((each) => each ?? []);
          const twice = texts.find((text, at) => texts.indexOf(text) !== at);
          if (twice !== undefined) reject(context, [], `“${twice}” occurs twice: a text means one kind of change`);
          if (Object.values(kinds).every((each) => each === undefined))
            reject(
              context,
              [],
              'names no kind: list the texts of at least one kind of change, none for one that does not occur',
            );
        }),
      'The texts at fields.changeKind that mean new, changed and removed; an empty list: no change of this kind occurs. With all three, no other text may occur.',
    ),
    newBy: fact(
      z.literal('firstActiveOn'),
      'The date by which a row calls a product new: exactly the products with this date within the window.',
    ),
    withinBulk: flag('Each product of the delta that is not removed is in the bulk list.'),
    removedUnlisted: flag('No product that the delta shows as removed is in the bulk list of the same data week.'),
    inLookUp: flag('The look-up knows each product of the delta that is not removed.'),
    latestValues: fact(
      z.array(z.enum(LATEST_VALUES)).min(1),
      `The fields of which a row of the delta shows the latest value, which the look-up then shows, too: some of ${LATEST_VALUES.join(', ')}.`,
    ),
  })
  .describe('What decides whether the delta contains a product, and what its rows show.');
