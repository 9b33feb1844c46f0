/** The published JSON Schema of run.json. A test validates runs against it. */
import { z } from 'zod';
import { DEPTHS, INPUT_NAMES, OPERATIONS, SAFETY_LADDER } from '../contract/index.ts';
import { BASES, VERDICTS } from '../rule/index.ts';
import { INTERRUPT_SIGNALS } from '../run/interruption.ts';
import { OUTCOMES } from '../run/outcome-names.ts';
import type { Run } from '../run/types.ts';
import { WAIVER_STATES } from '../run/waiver-types.ts';

const count = z.int().min(0);
const fraction = z.tuple([count, count]);
const operation = z.enum(OPERATIONS.map((each) => each.key));
const basis = z.enum(Object.keys(BASES));
const text = z.string();
const target = text.optional().describe('In a report of several runs: the target of the run that it is from.');
const inputs = z.partialRecord(z.enum(INPUT_NAMES), z.union([text, z.number(), z.boolean()]));
const check = { target, rule: text, operation };
const change = z.strictObject({
  ...check,
  was: text.optional(),
  is: text.optional(),
  why: text.optional(),
  advisory: z.literal(true).optional(),
});
const waiverNote = { source: text, reason: text, owner: text.optional(), expires: text.optional() };

const manifest = z.strictObject({
  suite: z.string(),
  target: z.string(),
  profile: z.string(),
  groups: z.array(z.string()),
  safety: z.enum(Object.keys(SAFETY_LADDER)),
  strict: z.boolean(),
  startedAt: z.iso.datetime(),
  durationMs: z.number().min(0),
  requests: count,
  waits: z
    .strictObject({ refusals: count, refusedMs: count, pausedMs: count })
    .optional()
    .describe('The refusals (429, 503) that were waited for, and the pauses between requests, in ms.'),
  node: z.string(),
  targetName: text.optional(),
  profileHash: text.optional().describe('SHA-256 of the data of the profile.'),
  ruleSet: text.optional().describe('The version of the rule set, if it is pinned.'),
  seed: z.int().optional().describe('The seed of the draws of subjects.'),
  depth: z.enum(DEPTHS).optional().describe('How many subjects were requested.'),
  interrupted: z
    .enum(INTERRUPT_SIGNALS)
    .optional()
    .describe('The signal that interrupted the run, which is then partial.'),
  allowInconclusive: z.literal(true).optional(),
  requireConformant: z.literal(true).optional(),
} satisfies Record<keyof Run['manifest'], z.ZodType>);

const fractions = z.strictObject({
  provable: fraction.describe('Checks testable under this profile, of all in scope.'),
  proved: fraction.describe('Checks passed, of those provable.'),
  unproved: count.describe('Provable checks that neither passed nor failed.'),
});

const history = z.strictObject({
  trend: z.array(
    z.strictObject({
      startedAt: z.iso.datetime(),
      outcome: z.enum(OUTCOMES),
      failed: count,
      proved: count,
      provable: count,
    }),
  ),
  checks: z.array(z.strictObject({ ...check, firstFailedOn: text.optional(), flakySince: text.optional() })),
  notes: z.array(text),
});

const part = z.strictObject({
  file: text,
  missing: text.optional(),
  target: text.optional(),
  outcomeInScope: text.optional(),
  exitCode: z.int().optional(),
  reason: text.optional(),
  manifest: manifest.optional(),
  fractions: fractions.optional(),
  history: history.optional(),
});

export const snapshotSchema = z.strictObject({
  deltas: z.array(z.strictObject({ weeks: count, products: count, digest: text, asOf: z.iso.date().optional() })),
  refreshDates: z.array(z.strictObject({ id: text.optional(), date: z.iso.date() })),
  products: z.strictObject({ count, sample: z.array(text), bound: count.optional() }).optional(),
});

export const runSchema = z.strictObject({
  schema: z.literal(1).describe('The version of this format.'),
  outcome: z.enum(OUTCOMES),
  outcomeInScope: z.string().describe('The outcome with the groups and safety class it covers.'),
  exitCode: z.int(),
  reason: z.string().optional(),
  manifest,
  fractions,
  results: z.array(
    z.strictObject({
      target,
      rule: z.string(),
      operation,
      statement: z.string(),
      section: z.string().describe('The section of the interface document.'),
      basis,
      gating: z.boolean(),
      verdict: z.enum(VERDICTS),
      waived: z.boolean(),
      waiver: z.strictObject(waiverNote).optional(),
      since: text.optional().describe('The version of the rule set that brought it, if not 0.1.0.'),
      pinned: z.literal(true).optional().describe('It would gate without the pin of the rule set.'),
      retried: z.literal(true).optional().describe('A request was sent again after a transport fault.'),
      cause: count.optional().describe('The index of the cause that explains it.'),
      evidence: z.strictObject({
        exchanges: count,
        rows: count,
        distinct: count,
        coverage: z
          .array(z.strictObject({ of: text, looked: count, known: count.optional() }))
          .optional()
          .describe('How many subjects were inspected, of how many known ones.'),
      }),
      findings: z.array(
        z.strictObject({
          expected: z.string(),
          actual: z.string(),
          exchange: z.string().optional(),
          row: count.optional(),
          fingerprint: text.optional().describe('Identifies what is wrong, not which row or value shows it.'),
        }),
      ),
      note: z.string().optional(),
      openings: z.array(z.string()).optional(),
      needsSafety: z
        .enum(SAFETY_LADDER.all)
        .optional()
        .describe('The safety class that a run must allow to decide it.'),
    }),
  ),
  exchanges: z.array(
    z.strictObject({
      id: z.string(),
      operation,
      method: z.string(),
      url: z.string(),
      status: z.int().optional(),
      failure: z.string().optional(),
      notRecorded: z.literal(true).optional(),
      retryOf: text.optional().describe('The failed exchange whose request it sends again.'),
      bytes: count,
      startedAt: z.iso.datetime().optional(),
      ms: z.number(),
      curl: z.string().optional(),
      begins: z.string().optional(),
      inputs: inputs.optional().describe('The inputs that a list supplied, e.g. the UPC of a look-up.'),
    }),
  ),
  openings: z.array(
    z.strictObject({
      opening: z.string(),
      asks: z.string(),
      fill: z.string(),
      section: z.string(),
      rules: z.array(z.string()),
    }),
  ),
  unread: z
    .array(z.strictObject({ key: text, why: text }))
    .optional()
    .describe('The keys of the profile that nothing reads or judges.'),
  cause: z.array(z.strictObject({ sentence: text, operations: z.array(operation), count })).optional(),
  waivers: z
    .array(
      z.strictObject({
        ...waiverNote,
        rule: text,
        operation: text.optional(),
        daysLeft: z.int().optional(),
        intermittent: z.boolean().optional(),
        fingerprints: z.array(text).optional(),
        inputs: z.array(inputs).optional(),
        state: z.enum(WAIVER_STATES),
        covers: z.array(z.strictObject({ ...check, fingerprints: z.array(text), actual: z.string().optional() })),
        message: text.optional(),
      }),
    )
    .optional(),
  comparison: z
    .strictObject({
      baseline: text,
      failOnNew: z.literal(true).optional().describe('Failures of the baseline do not set the exit code.'),
      newFailures: z.array(change),
      fixed: z.array(change),
      lostProofs: z.array(change),
      changedEvidence: z.array(change),
      notComparable: z.array(z.strictObject({ ...check, why: text })),
    })
    .optional(),
  history: history.optional(),
  snapshot: snapshotSchema
    .optional()
    .describe('A digest of the unfiltered lists, which the history compares with those of other runs.'),
  draws: z
    .array(z.strictObject({ operation, inputs: z.array(inputs) }))
    .optional()
    .describe('The inputs that lists supplied, by the operation that was requested with them.'),
  parts: z.array(part).optional().describe('In a report of several runs: the runs.'),
});

/** JSON Schema (2020-12) of run.json. */
export function runJsonSchema(): object {
  return { title: 'mdwi run', ...z.toJSONSchema(runSchema) };
}
