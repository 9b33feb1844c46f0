import type { Input } from '../contract/index.ts';
import type { Paging } from './schema.ts';

/** What a request of each style must contain, and whether a response announces the next page. */
export const PAGING_STYLES: {
  readonly [S in Paging['style']]: { readonly input?: Input; readonly announces: boolean };
} = {
  page: { input: 'page', announces: false },
  offset: { input: 'offset', announces: false },
  cursor: { input: 'cursor', announces: true },
  link: { announces: true },
  next: { announces: true },
};
