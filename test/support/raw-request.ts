import {connect, type Socket} from 'node:net';

/** A connection that sends bytes as they are, also what no HTTP client would send. */
export class RawConnection {
  readonly socket: Socket;
  /** Everything that the server sent, once the connection is closed. */
  readonly response: Promise<string>;

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    const {promise, resolve} = Promise.withResolvers<string>();
    this.response = promise;
    const chunks: Buffer[] = [];
    this.socket.on('data', (chunk) => chunks.push(chunk));
    // A server that refuses a body may close the connection before all of it was sent.
    this.socket.on('error', () => {});
    this.socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
  }
}

/** Sends the bytes and returns what the server sends until it closes the connection. */
export function rawRequest(port: number, bytes: string | Uint8Array): Promise<string> {
  const connection = new RawConnection(port);
  connection.socket.write(bytes);
  return connection.response;
}

/** Returns the head of a request after which the server closes the connection. */
export function requestHead(target: string, headers: readonly string[]): string {
  return `${[`${target} HTTP/1.1`, 'Host: 127.0.0.1', 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`;
}
