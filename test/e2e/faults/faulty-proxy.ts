import {once} from 'node:events';
import {type AddressInfo, connect, createServer, type Server, type Socket} from 'node:net';

/** A network fault. */
type ProxyFault =
  | 'through'
  /** Nothing passes and nothing closes: both ends believe that the other is there. */
  | 'silent'
  /** Requests arrive, responses do not. */
  | 'deaf'
  /** Every connection is reset at once. */
  | 'cut'
  /** Responses arrive one byte at a time. */
  | 'dripping';

const dripMs = 15;

/** A TCP proxy between a client and a server on this machine that simulates network faults. */
export class FaultyProxy {
  readonly #server: Server;
  readonly #target: number;
  readonly #ends = new Set<Socket>();
  #mode: ProxyFault = 'through';
  /** The number of connections or chunks that met the fault since it began. */
  #strikes = 0;

  private constructor(target: number) {
    this.#target = target;
    this.#server = createServer((near) => this.#accept(near));
  }

  static async to(target: number): Promise<FaultyProxy> {
    const line = new FaultyProxy(target);
    line.#server.listen(0, '127.0.0.1');
    await once(line.#server, 'listening');
    return line;
  }

  get url(): string {
    // A listening server has an address of this type.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get strikes(): number {
    return this.#strikes;
  }

  /** Resets all connections, and new ones until `heal`. */
  cut(): void {
    this.#begin('cut');
    this.reset();
  }

  /** Resets all connections; new ones work. */
  reset(): void {
    for (const end of this.#ends) hangUp(end);
  }

  /** Drops all data from now on; connections stay open, even after `heal`. */
  silence(): void {
    this.#begin('silent');
  }

  /** Drops only what the server sends. */
  deafen(): void {
    this.#begin('deaf');
  }

  drip(): void {
    this.#begin('dripping');
  }

  /** Makes new connections work; old ones stay as they are. */
  heal(): void {
    this.#mode = 'through';
  }

  async close(): Promise<void> {
    this.cut();
    const closed = once(this.#server, 'close');
    this.#server.close();
    await closed;
  }

  #begin(mode: ProxyFault): void {
    this.#mode = mode;
    this.#strikes = 0;
  }

  #accept(near: Socket): void {
    if (this.#mode === 'cut') {
      this.#strikes++;
      hangUp(near);
      return;
    }
    const far = connect(this.#target, '127.0.0.1');
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#ends.add(end);
      end.on('error', () => other.destroy());
      end.on('close', () => {
        this.#ends.delete(end);
        other.destroy();
      });
    }
    this.#pass(near, far, false);
    this.#pass(far, near, true);
  }

  /**
   * Copies data in one direction. A direction that once fell silent stays silent, because the lost data is
   * not sent again.
   */
  #pass(from: Socket, to: Socket, isAnswer: boolean): void {
    let isLost = false;
    from.on('data', (data) => {
      isLost ||= this.#mode === 'silent' || (isAnswer && this.#mode === 'deaf');
      if (isLost) this.#strikes++;
      else if (isAnswer && this.#mode === 'dripping') this.#drip(from, to, data);
      else to.write(data);
    });
    from.on('end', () => {
      if (!isLost) to.end();
    });
  }

  #drip(from: Socket, to: Socket, data: Buffer): void {
    this.#strikes++;
    from.pause();
    let sent = 0;
    const next = () => {
      if (to.destroyed) return;
      const isOver = this.#mode !== 'dripping';
      to.write(isOver ? data.subarray(sent) : data.subarray(sent, sent + 1));
      sent = isOver ? data.length : sent + 1;
      if (sent < data.length) setTimeout(next, dripMs);
      else from.resume();
    };
    next();
  }
}

/** Resets a socket. Node would never close the handle of one that was ended or is not connected yet. */
function hangUp(end: Socket): void {
  if (end.writableEnded || end.connecting) end.destroy();
  else end.resetAndDestroy();
}
