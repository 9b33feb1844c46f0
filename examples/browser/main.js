// The page without its service: msw gives its requests to the simulator, which runs in the page.
import { createHandlers } from 'mdwi-conformance/msw';
import { setupWorker } from 'msw/browser';
import { showProducts } from './products.js';

const { handlers, simulator } = await createHandlers({ baseUrl: 'https://api.example', products: 50 });
await setupWorker(...handlers).start({ onUnhandledRequest: 'bypass', quiet: true });

// For tests, and for the console of the browser: simulator.behaviors.add({ latencyMs: 2000 })
globalThis.simulator = simulator;
globalThis.reload = () => showProducts(document.querySelector('#products'));
await globalThis.reload();
document.body.dataset.ready = 'true';
