/** Faults of how dates are written, which a profile describes (section 2 shows no format). */
import { textOfUtf8, utf8 } from '../../src/bytes.ts';
import type { OperationName } from '../../src/contract/index.ts';
import { stating } from '../deviations/places.ts';
import { onReplyOf, replyChunks } from '../deviations/replies.ts';
import type { Hooks } from '../deviations/types.ts';
import type { Chunk } from '../dialects/types.ts';
import { iterable } from '../model/iterable.ts';
import { inC, inD } from './fault.ts';

/** Replaces the first text of a body that matches; the chunks of the body begin and end between rows. */
function replaceFirst(body: Iterable<Chunk>, pattern: RegExp, replacement: string): Iterable<Chunk> {
  return iterable(function* () {
    let isReplaced = false;
    for (const chunk of body) {
      const text = typeof chunk === 'string' ? chunk : textOfUtf8(chunk);
      if (isReplaced || !pattern.test(text)) {
        yield chunk;
        continue;
      }
      isReplaced = true;
      const replaced = text.replace(pattern, replacement);
      yield typeof chunk === 'string' ? replaced : utf8(replaced);
    }
  });
}

/** Changes the first text of the responses of an operation that matches. */
const inFirst = (name: OperationName, pattern: RegExp, replacement: string): Hooks =>
  onReplyOf(name, (reply) =>
    reply.status === 200 ? { ...reply, body: replaceFirst(replyChunks(reply), pattern, replacement) } : reply,
  );

const ISO = /(?<="firstActiveOn":")(\d{4})-(\d{2})-(\d{2})/;

export const DATE_FAULTS = [
  inC('date-of-one-product-in-another-notation', 'operation.served', {
    says: 'The first activity of one product of the bulk list is written 02.03.2024, all others 2024-03-02.',
    dialects: ['reference'],
    hooks: inFirst('allProducts', ISO, '$3.$2.$1'),
  }),
  inC('date-of-look-up-in-another-notation', 'operation.served', {
    says: 'Look-ups write the first activity of a product as 20240302, the lists as 2024-03-02.',
    dialects: ['reference'],
    hooks: inFirst('products', ISO, '$1$2$3'),
  }),
  inC('date-american-among-european', 'operation.served', {
    says: 'The change date of one product is written 11/07/2026, all others 07.11.2026, although the profile shows the notation by a pattern.',
    dialects: ['tabular'],
    profile: stating(['allProducts'], {
      response: {
        fields: {
          changedOn: { at: '@.Changed', as: 'european', match: '^\\d{2}\\.\\d{2}\\.\\d{4}$', nullable: true },
        },
      },
    }),
    hooks: inFirst('allProducts', /(?<=;US;[\d.]{10};)(0\d|1[0-2])\.(0\d|1[0-2])\.(\d{4})/, '$2/$1/$3'),
  }),
  inD('date-of-the-list-in-another-notation', 'operation.served', {
    says: 'BrandPerformance writes its as-of date as 14.11.2026, all other responses as 2026-11-14.',
    dialects: ['reference'],
    hooks: inFirst('brandPerformance', /(?<="asOf":")(\d{4})-(\d{2})-(\d{2})/, '$3.$2.$1'),
  }),
];
