/** Ending a connection in the middle of an exchange, in the way the service ended its own. */
import type { ServerResponse } from 'node:http';

const NOTHING = Buffer.alloc(0);

/**
 * Ends the connection of an answer; what was sent so far still arrives.
 * @param how `closed`: as a process that ends its connection (FIN), `reset`: as one that breaks it off (RST)
 */
export function endConnection(response: ServerResponse, how: 'closed' | 'reset'): void {
  const { socket } = response;
  if (!socket || (how === 'closed' && !response.headersSent)) response.destroy();
  else if (how === 'closed') socket.destroySoon();
  // Behind what is still to be written.
  else if (response.headersSent) socket.write(NOTHING, () => socket.resetAndDestroy());
  else socket.resetAndDestroy();
}

/** Sends a head before anything of its body: in Latin-1, as it came; `flushHeaders` would send UTF-8. */
export function sendHead(response: ServerResponse): void {
  response.write(NOTHING);
}
