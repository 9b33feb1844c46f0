/** The report of a comparison. */

import { EXIT, interruptedExitCode } from '../../run/exit-codes.ts';
import { interruptedBy } from '../../run/interruption.ts';
import { matchesWildcard } from '../../text-patterns.ts';
import { CLASSES, type DriftClass, type DriftDifference, rankOf } from './classes.ts';
import type { DriftReport } from './formats/schema.ts';

type ReportInput = Omit<DriftReport, 'schema' | 'exitCode' | 'reason' | 'counts' | 'ignored'> & {
  readonly ignore: readonly string[];
  /** Why the comparison is undetermined, in one sentence. */
  readonly undetermined?: string;
};

/**
 * Whether a pattern matches a difference: by path, or by operation and path; `*` matches any text.
 * @example isIgnored(difference, 'GET /webservices/testService *')
 */
export function isIgnored({ operation, path }: DriftDifference, pattern: string): boolean {
  return matchesWildcard(pattern, path) || matchesWildcard(pattern, `${operation} ${path}`);
}

/** Removes ignored differences, counts the others and determines the exit code. */
export function reportOf({ ignore, undetermined, differences, notes, ...rest }: ReportInput): DriftReport {
  const reported = differences.filter((each) => !ignore.some((pattern) => isIgnored(each, pattern)));
  const unusedPatterns = ignore.filter((pattern) => !differences.some((each) => isIgnored(each, pattern)));
  const counts = Object.fromEntries(
    CLASSES.map((each) => [each, reported.filter((difference) => difference.class === each).length]),
  ) as Record<DriftClass, number>;
  const { failOn } = rest;
  const failing = failOn === 'none' ? [] : reported.filter((each) => rankOf(each.class) <= rankOf(failOn));
  const { interrupted } = rest;
  const partial = interrupted && `${interruptedBy(interrupted)}: this is partial, only part was compared`;
  const [exitCode, reason] = interrupted
    ? [interruptedExitCode(interrupted), partial]
    : undetermined
      ? [EXIT.undetermined, undetermined]
      : failing.length > 0
        ? [
            EXIT.drift,
            `${failing.length} ${failing.length === 1 ? 'difference is' : 'differences are'} of the class “${failOn}” or worse`,
          ]
        : [EXIT.ok, undefined];
  return {
    schema: 1,
    exitCode,
    ...(reason !== undefined && { reason }),
    ...rest,
    counts,
    differences: reported,
    ignored: differences.length - reported.length,
    notes: [
      ...(partial ? [partial] : []),
      ...notes,
      ...unusedPatterns.map((pattern) => `--ignore ${pattern} matched nothing`),
    ],
  };
}
