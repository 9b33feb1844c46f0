import { ALL_PRODUCTS } from '../../src/contract/index.ts';
import { judgeCases } from '../judging.test.support.ts';

const profile = { products: { firstActiveBefore: ['activeOn', 'changedOn'] } };
const row = (firstActiveOn?: number, activeOn?: number, changedOn?: number | null) => ({
  upc: '042100000177',
  ...(firstActiveOn && { firstActiveOn }),
  ...(activeOn && { activeOn }),
  ...(changedOn !== undefined && { changedOn }),
});

judgeCases('C.first-active', { subject: ALL_PRODUCTS, profile }, [
  ['a change before the first activity', { list: { rows: [row(1, 1, 2), row(5, 6, 4)] } }, 'fail'],
  ['rows without one of the dates', { list: { rows: [row(undefined, 4), row(4)] } }, 'untested'],
]);

const weekly = { ...profile, dataWeek: { firstActiveOn: 'weekEnding' } };
judgeCases('C.first-active', { subject: ALL_PRODUCTS, profile: weekly }, [
  ['a day of the week whose end is the first activity', { list: { rows: [row(20, 14)] } }, 'pass'],
]);
