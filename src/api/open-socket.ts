import type {Socket} from 'node:net';

/** Opens a connection to the server. */
export type OpenSocket = () => Promise<Socket>;
