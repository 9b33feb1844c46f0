/** The schemas of a description that the responses match: a run judges by them, so that a loose one would accuse the service. */
import { createEngine } from '../profile/body-schema/engine.ts';
import type { ResponseSchemas } from '../profile/openapi/schemas.ts';
import type { Learner } from './learner.ts';

const DEFS = 'description';

/** Whether a key such as `200` or `2XX` is that of a status. */
const isOf = (key: string, status: number): boolean =>
  key === String(status) || key.toUpperCase() === `${Math.floor(status / 100)}XX`;

/** Keeps the schemas of successes that every response of their status matches, and names the others as likely defects. */
export function matchingSchemas(learner: Learner, { defs, stated }: ResponseSchemas): ResponseSchemas {
  const engine = createEngine('2020-12').addSchema({ $id: DEFS, $defs: defs });
  const matching = new Map(
    [...stated].map(([key, byStatus]) => {
      const answers = learner.asker
        .answersOf(key)
        .filter(({ media, document, isPartial }) => media === 'json' && document !== undefined && !isPartial);
      const kept = Object.entries(byStatus).filter(([status, name]) => {
        if (!status.startsWith('2')) return false;
        const seen = answers.filter(({ head, isSuccess }) => isOf(status, head.status) && isSuccess);
        const validate = engine.compile({ $ref: `${DEFS}#/$defs/${name}` });
        const others = seen.filter(({ document }) => !validate(document)).length;
        const path = ['operations', key, 'response', 'schemas', status];
        if (others > 0)
          learner.defects.push({
            path,
            sentence: `${others} of ${seen.length} responses do not match the description`,
          });
        return seen.length > 0 && others === 0;
      });
      return [key, Object.fromEntries(kept)] as const;
    }),
  );
  return { defs, stated: new Map([...matching].filter(([, kept]) => Object.keys(kept).length > 0)) };
}
