/** Rules and runs of tests, of which only what matters is written. */
import { createLiveSource } from '../client/live-source.ts';
import { defineRule, passed, type Rule } from '../rule/index.ts';
import { performRun } from './run.ts';
import type { Run } from './types.ts';

type Options = Parameters<typeof performRun>[0];

/** Performs a run, by default with a source of its own. */
export async function perform({
  source = createLiveSource({}),
  ...options
}: Partial<Options> & Pick<Options, 'rules' | 'profile' | 'base'>): Promise<Run> {
  try {
    return await performRun({
      ...{ selection: { safety: 'read' }, source, suiteVersion: '9.9.9' },
      ...{ strict: false, allowInconclusive: false, requireConformant: false },
      ...options,
    });
  } finally {
    await source.close();
  }
}

/** A rule of the list of all products, which sends nothing and passes unless it is said. */
export const ruleOf = (id: string, over: { readonly [member in keyof Rule]?: unknown } = {}): Rule =>
  defineRule({
    ...{ id, statement: 'C.bulk', basis: 'stated', since: '0.1.0', demands: id, how: id },
    subjects: ['GET /PLATFORMAPI/prodRef/v1/allProducts'],
    needs: () => [],
    probe: () => ({}),
    judge: () => passed({ exchanges: 1 }),
    ...(over as object),
  });
