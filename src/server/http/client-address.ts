import type {IncomingMessage} from 'node:http';
import {isIP} from 'node:net';
import {networkOfAddress} from './rate-limiter.ts';

/**
 * Returns the network of a request's client, which rate limits apply to. A proxy adds the address that it was called
 * from to the end of X-Forwarded-For; the addresses before it are the client's own claim.
 */
export function clientNetwork(request: IncomingMessage, trustsProxy: boolean): string {
  const header = trustsProxy ? request.headers['x-forwarded-for'] : undefined;
  const last = String(header ?? '')
    .split(',')
    .at(-1)
    ?.trim();
  const address = last !== undefined && isIP(last) !== 0 ? last : (request.socket.remoteAddress ?? '');
  return networkOfAddress(address);
}
