import { expect, test } from 'vitest';
import { namesOfShard, TRIAL_NAMES, trialsOf } from './trials.ts';

test('the shards contain every name once', () => {
  const shards = ['1/3', '2/3', '3/3'].flatMap((shard) => namesOfShard(shard, TRIAL_NAMES) ?? []);
  expect(shards.toSorted()).toEqual(TRIAL_NAMES.toSorted());
  expect(['0/3', '4/3', '1/0', '1', 'a/b'].map((shard) => namesOfShard(shard, TRIAL_NAMES))).toEqual(
    Array(5).fill(undefined),
  );
});

test('an oddity is tried together with the plain simulator in its dialect', () => {
  expect(trialsOf({ full: false, only: ['bulk-upc-letter'] }).map(({ kind }) => kind)).toEqual(['fault']);
  const trials = trialsOf({ full: true, only: ['login-redirect'] });
  const dialects = trials.filter(({ kind }) => kind === 'oddity').map(({ dialect }) => dialect);
  const plain = trials.filter(({ kind }) => kind === 'plain').map(({ dialect }) => dialect);
  expect(plain.toSorted()).toEqual(dialects.toSorted());
});
