import {isPersistent, readConfigSettings} from '#cli/account-access/open-store.ts';
import {printRetryNotice} from '#cli/account-access/with-state.ts';
import {type CliIo, type ExitCode, exitCodes, PlainFailure, printNotice} from '#cli/io.ts';
import {exitCodeOf} from '#cli/report-failure.ts';
import {Outbox, type OutgoingMessage} from '#state/outbox/outbox.ts';
import {DeliveryRecords} from '#state/outbox/outbox-ledger.ts';
import type {SessionContext} from '#state/session-context.ts';
import {isApiFailure} from '#wire/failure.ts';

/** The outcome of a message that was put into the outbox. */
type DeliveryResult =
  | {readonly kind: 'sent'; readonly messageId: number}
  /** The server certainly does not have it; it is still in the outbox. */
  | {readonly kind: 'waiting'; readonly problem: string; readonly exitCode: ExitCode}
  | {readonly kind: 'refused'; readonly problem: string; readonly exitCode: ExitCode}
  /** It may have been sent. It is still in the outbox. */
  | {readonly kind: 'unconfirmed'; readonly problem: string};

/** The time to wait for a delivery: worthwhile, because the server responded a moment ago. */
const deliveryTimeoutMs = 60_000;

const unknownText = 'This message may have been sent. Parley checks the next time it runs.';

type SendMessage = SessionContext['api']['sendMessage'];

/** Returns an outbox for the duration of a verb, which remembers the last failure of a send request. */
export function verbOutbox(verbContext: SessionContext, io: CliIo) {
  const activeRequests = new Set<Promise<unknown>>();
  let failure: unknown;
  const sendMessage = async (...args: Parameters<SendMessage>): ReturnType<SendMessage> => {
    const call = verbContext.api.sendMessage(...args);
    activeRequests.add(call);
    try {
      return await call;
    } catch (error) {
      failure = error;
      const willRetry = isApiFailure(error) && error.kind === 'retry' && error.carriedOut === 'no';
      if (willRetry && !isWaitingUseless(error)) printRetryNotice(io, error);
      throw error;
    } finally {
      activeRequests.delete(call);
    }
  };
  const context: SessionContext = {...verbContext, api: {...verbContext.api, sendMessage}};
  const outbox = new Outbox(context, readConfigSettings(io));
  return {
    outbox,
    /** Waits for the outcome of an entry. Throws the signal's reason when it is aborted. */
    waitForDelivery: (entryId: string) => waitForOutcome(context, entryId, () => failure),
    /** Ends the outbox. Messages that other programs left in it are sent too, and no request may be cut off. */
    end: async () => {
      outbox.stop();
      await Promise.allSettled(activeRequests);
      // Lets the outbox record the results.
      await new Promise<void>((resolve) => context.clock.after(0, resolve));
    },
  };
}

/**
 * Sends one message and returns its outcome. A message that the server does not have can be discarded or left
 * in the outbox.
 */
export async function deliverMessage(
  context: SessionContext,
  message: OutgoingMessage,
  io: CliIo,
): Promise<{entryId: string; delivery: DeliveryResult; outbox: Outbox}> {
  const sending = verbOutbox(context, io);
  const {outbox} = sending;
  const {id} = outbox.send(message);
  try {
    const delivery = await sending.waitForDelivery(id);
    printHeldMessagesNotice(context, io);
    return {entryId: id, delivery, outbox};
  } catch (error) {
    // Interrupted: a message that is not being sent is removed; otherwise its outcome is unknown.
    const isUnresolved =
      outbox.discard(id) === undefined && context.store.outbox.all().some((entry) => entry.id === id);
    if (isUnresolved) printNotice(io, unknownText);
    throw error;
  } finally {
    await sending.end();
  }
}

/** Tells the user about older messages that need a confirmation before they are sent. */
function printHeldMessagesNotice({store}: SessionContext, io: CliIo): void {
  const count = store.outbox.all().filter(({status}) => status === 'held').length;
  if (count === 0) return;
  const subject = count === 1 ? 'One older message needs' : `${count} older messages need`;
  printNotice(io, `${subject} your confirmation before sending. List them with “parley outbox”.`);
}

/** Returns the failure for a message that may or may not have been sent. */
export function unconfirmedFailure({problem}: {readonly problem: string}, {store}: SessionContext): PlainFailure {
  return new PlainFailure(isPersistent(store) ? `${problem} See “parley outbox”.` : problem, exitCodes.unknown);
}

function waitForOutcome(context: SessionContext, entryId: string, lastFailure: () => unknown): Promise<DeliveryResult> {
  const {cache, clock, signal, store} = context;
  return new Promise((resolve, reject) => {
    const end = (finish: () => void) => {
      unsubscribe();
      cancel();
      signal.removeEventListener('abort', abort);
      finish();
    };
    const check = (isTimeout: boolean) => {
      try {
        const delivery = deliveryOf(store, entryId, lastFailure(), isTimeout);
        if (delivery !== undefined) end(() => resolve(delivery));
      } catch (error) {
        end(() => reject(error));
      }
    };
    const abort = () => end(() => reject(signal.reason));
    const unsubscribe = cache.subscribe(['outbox'], () => check(false));
    const cancel = clock.after(deliveryTimeoutMs, () => check(true));
    signal.addEventListener('abort', abort, {once: true});
    if (signal.aborted) abort();
    else check(false);
  });
}

function deliveryOf(
  store: SessionContext['store'],
  entryId: string,
  failure: unknown,
  isTimeout: boolean,
): DeliveryResult | undefined {
  const entry = store.outbox.all().find(({id}) => id === entryId);
  if (entry === undefined) {
    const messageId = new DeliveryRecords(store.keyValues).messageIdOf(entryId);
    // Delivered, or else discarded by another program.
    if (messageId !== undefined) return {kind: 'sent', messageId};
    return {
      kind: 'refused',
      problem: 'The message was removed from the outbox by another program.',
      exitCode: exitCodes.failed,
    };
  }
  const problem = entry.problem ?? (failure instanceof Error ? failure.message : 'The message could not be sent.');
  switch (entry.status) {
    case 'failed':
      return {kind: 'refused', problem, exitCode: exitCodeOf(failure) ?? exitCodes.failed};
    case 'unconfirmed':
      return {kind: 'unconfirmed', problem};
    case 'held':
      return {kind: 'waiting', problem, exitCode: exitCodes.failed};
    case 'queued': {
      if (!isTimeout && !isWaitingUseless(failure)) return undefined;
      return {kind: 'waiting', problem, exitCode: exitCodeOf(failure) ?? exitCodes.unreachable};
    }
    default:
      return isTimeout
        ? {kind: 'unconfirmed', problem: `${failure instanceof Error ? `${failure.message} ` : ''}${unknownText}`}
        : undefined;
  }
}

/** Returns whether waiting longer cannot help: the API key is rejected, or the server asks for too long a wait. */
function isWaitingUseless(failure: unknown): boolean {
  if (!isApiFailure(failure)) return false;
  return failure.kind === 'login' || (failure.kind === 'retry' && (failure.retryAfterMs ?? 0) > deliveryTimeoutMs);
}
