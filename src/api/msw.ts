/// <reference types="node" preserve="true" />
/** The public API of the package for msw, which is an optional peer; it works in browsers, too (docs/api.md). */
export {
  createHandlers,
  type HandledService,
  type HandlersOptions,
  handlersFor,
} from '../commands/msw-handlers.ts';
