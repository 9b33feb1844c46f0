/** What decides whether a delta contains a product, and what its rows show: openings of section 8. */
import { z } from 'zod';
import { DELTA_DATES } from '../../contract/index.ts';

export const delta = z
  .strictObject({
    dates: z
      .array(z.enum(DELTA_DATES))
      .min(1)
      .optional()
      .describe(
        'The dates of a product by which the delta goes: a window contains the products with one of these dates within it, and no others.',
      ),
  })
  .describe('What decides whether the delta contains a product, and what its rows show.');
