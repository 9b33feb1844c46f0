/** Jobs whose status is not theirs, never ends or returns. */
import { JOB_KINDS, JOB_STATUS, type JobKind, type OperationKey, operationOf } from '../../contract/index.ts';
import type { Cell } from '../../reading/types.ts';
import { answeredAs, changeRow, quotedLike, sourceOf } from '../changes.ts';
import type { List, RecordedWorld } from '../world.ts';
import { listName, site } from './sites.ts';
import type { Operator, Site } from './types.ts';

/** The status requests of one job, in their order. */
interface StatusCalls {
  readonly kind: JobKind;
  readonly list: List;
  readonly states: readonly Cell[];
}

const kindOf = (operation: OperationKey): JobKind | undefined =>
  JOB_KINDS.find((kind) => JOB_STATUS[kind] === operation);

const statusCalls = (world: RecordedWorld): StatusCalls[] =>
  world.lists.flatMap((list) => {
    const kind = kindOf(list.operation);
    const states = list.documents.map(({ rows, observation }) => rows[0]?.state ?? observation.values.state?.[0]);
    return kind && states.every((state) => typeof state === 'string') ? [{ kind, list, states }] : [];
  });

/** Jobs that were seen in a final state after another one. */
const finished = (world: RecordedWorld): StatusCalls[] =>
  statusCalls(world).filter(({ kind, states }) => {
    const final = world.declarations.job(kind).final ?? [];
    return states.length > 1 && !final.includes(String(states[0])) && final.includes(String(states.at(-1)));
  });

const startedOf = (world: RecordedWorld): List[] =>
  world.lists.filter(({ operation }) => operationOf(operation).kind === 'jobStart');

const UNLISTED = 'limbo';

export const JOB_OPERATORS: readonly Operator[] = [
  {
    name: 'state not listed',
    statement: 'A.job-status',
    promise: 'jobs.….states',
    says: 'A job has a state that the profile does not list.',
    sites: (world) =>
      statusCalls(world).flatMap(({ kind, list }): Site[] =>
        world.declarations.job(kind).states
          ? [
              site(list, `${listName(list)}: the state`, [
                {
                  list,
                  edit: (document) =>
                    changeRow(
                      document,
                      0,
                      { state: quotedLike(sourceOf(document, 0, 'state') ?? '', UNLISTED) },
                      (_, after) => after.state === UNLISTED,
                    ),
                },
              ]),
            ]
          : [],
      ),
  },
  {
    name: 'job never ends',
    statement: 'A.job-status',
    promise: 'jobs.….patienceSeconds',
    says: 'A job stays in its first state.',
    sites: (world) =>
      finished(world).flatMap(({ kind, list }): Site[] => {
        const [first] = list.documents;
        return world.declarations.job(kind).patienceMs !== undefined && first
          ? [site(list, listName(list), [{ list, replace: (exchange) => answeredAs(exchange, first.exchange) }])]
          : [];
      }),
  },
  {
    name: 'job returns to an earlier state',
    statement: 'A.job-status',
    promise: 'jobs.….statesInOrder',
    says: 'A job has its first state again after a later one.',
    sites: (world) =>
      finished(world).flatMap(({ kind, list, states }): Site[] => {
        const last = list.documents.at(-1);
        const [first] = list.documents;
        if (world.profile.data.jobs?.[kind]?.statesInOrder !== true || !last || !first || states.at(-2) === states[0])
          return [];
        return [
          site(list, listName(list), [
            {
              list,
              replace: (exchange) => (exchange === last.exchange ? answeredAs(exchange, first.exchange) : undefined),
            },
          ]),
        ];
      }),
  },
  {
    name: 'started job unknown',
    statement: 'A.job-status',
    says: 'The status of a job that was started is that of an unknown one.',
    sites: (world) =>
      statusCalls(world).flatMap(({ list }): Site[] => {
        const [answer] = world.refused.find(({ spec }) => spec.operation === list.operation)?.sent ?? [];
        return answer
          ? [site(list, listName(list), [{ list, replace: (exchange) => answeredAs(exchange, answer) }])]
          : [];
      }),
  },
  {
    name: 'status of another job',
    statement: 'A.job-status',
    promise: 'response.fields.jobId',
    says: 'The status is that of another job of its kind.',
    sites: (world) =>
      statusCalls(world).flatMap(({ list }): Site[] => {
        const other = statusCalls(world).find(
          (each) => each.list !== list && each.list.operation === list.operation,
        )?.list;
        const [answer] = other?.documents ?? [];
        const showsId =
          other &&
          world.declarations.binds(list.operation, 'fields.jobId') &&
          answer?.text.includes(String(other.inputs.jobId)) &&
          !answer.text.includes(String(list.inputs.jobId));
        return answer && showsId
          ? [
              site(list, `${listName(list)} as ${listName(other)}`, [
                { list, replace: (exchange) => answeredAs(exchange, answer.exchange) },
              ]),
            ]
          : [];
      }),
  },
  {
    name: 'job id given twice',
    statement: 'A.job-status',
    promise: 'jobs.….distinctIds',
    says: 'A start returns the id of an earlier job.',
    sites: (world) =>
      startedOf(world).flatMap((list): Site[] => {
        const [first, second] = list.documents;
        const kind = JOB_KINDS.find((each) =>
          world.declarations.job(each).starts.some(({ operation }) => operation === list.operation),
        );
        const isPromised = kind !== undefined && world.profile.data.jobs?.[kind]?.distinctIds === true;
        if (!first || !second || !isPromised || first.text === second.text) return [];
        return [
          site(list, listName(list), [
            {
              list,
              replace: (exchange) => (exchange === first.exchange ? undefined : answeredAs(exchange, first.exchange)),
            },
          ]),
        ];
      }),
  },
];
