import type {App} from '#app/core/app.ts';
import {openPicker} from '#app/overlays/picker.ts';
import {failureReason, toastResult} from '#app/requests/server-request.ts';
import {currentConversation} from '#app/targets/action-target.ts';
import {providerSegment, startVideoCall, type VideoCallOutcome} from '#state/actions/messages.ts';
import type {DraftTarget} from '#state/model/draft.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {callProblem, videoProviderName} from '#state/selectors/video-calls.ts';
import {withoutIsolates} from '#std/composed-text.ts';
import {sameTarget, targetConversation} from '#ui/composer/destination.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {changeProblem} from '#ui/core/change-problem.ts';
import {insert} from '#ui/text/text-field.ts';
import {isRefusal} from '#wire/failure.ts';
import {changeMessageText} from './change-composer.ts';
import {openComposer} from './open-composer.ts';

type CallKind = 'video' | 'audio';

/** Returns the reason why no call can be started here. */
export function startCallProblem(app: AppReader, kind: CallKind): string | undefined {
  const problem = changeProblem(app) ?? callProblem(app.state, kind === 'audio');
  if (problem !== undefined || app.screen.focus === 'composer') return problem;
  return currentConversation(app) === undefined ? 'Open a conversation for the call first' : undefined;
}

/** Starts a call and inserts its link into the message; opens the composer when it is closed. */
export function startCall(app: App, kind: CallKind): void {
  const conversation = currentConversation(app);
  if (app.screen.focus !== 'composer' && conversation !== undefined) openComposer(app, {target: conversation});
  if (app.screen.focus !== 'composer') return;
  const {target} = app.screen.composer;
  const here = targetConversation(target);
  const name =
    here === undefined ? (app.state.realm.name ?? 'Call') : withoutIsolates(conversationTitle(app.state, here));
  app.toast(`Starting the ${kind} call…`);
  startVideoCall(app.session.context, {name, audioOnly: kind === 'audio'}).then(
    (outcome) => showOutcome(app, kind, target, outcome),
    (error: unknown) => {
      const reason = callFailureReason(app, error);
      if (reason !== undefined) app.toast(`No call started: ${reason}`, 'error');
    },
  );
}

function callFailureReason(app: App, error: unknown): string | undefined {
  if (!isRefusal(error, 'UNKNOWN_ZOOM_USER')) return failureReason(error);
  const own = app.state.users.get(app.state.self.userId);
  return `Zoom has no account with your email address ${own?.deliveryEmail ?? own?.email ?? ''}.`;
}

function showOutcome(app: App, kind: CallKind, target: DraftTarget, outcome: VideoCallOutcome): void {
  if (outcome.kind === 'connect') {
    openConnectMenu(app, kind, outcome.url);
    return;
  }
  const {composer} = app.screen;
  const isStillHere = composer.isOpen && (composer.target === target || sameTarget(composer.target, target));
  if (!isStillHere) {
    const copied = app.device.copy(outcome.url);
    toastResult(
      app,
      copied.then((hint) => ({text: 'You left the message, so the link is copied', hint})),
    );
    return;
  }
  changeMessageText(app, (field) => insert(field, `[Join ${kind} call.](${outcome.url}) `));
  app.toast({text: 'Link inserted', hint: 'the call begins when someone opens it'});
}

/** Offers the page on which the user connects their account of the provider. Once that is done, the call can start. */
function openConnectMenu(app: App, kind: CallKind, url: string): void {
  const title = `Connect your ${videoProviderName(app.state) ?? 'video'} account first`;
  // On a low screen the toast covers the title.
  app.toast(title, 'warning');
  openPicker(app, {
    id: 'connect-call',
    title,
    isMenu: true,
    rows: ({account}) => [
      {key: 'open', label: 'Connect in a browser', detail: url, right: 'o'},
      {key: 'copy', label: 'Copy the address', right: 'c'},
      {
        key: 'start',
        label: `Start the ${kind} call`,
        right: 's',
        disabled: account.videoTokens[providerSegment(account)] === true ? undefined : 'Connect your account first',
      },
    ],
    accept: (from, {key}) => {
      if (key === 'start') {
        from.closeOverlay();
        startCall(from, kind);
      } else {
        toastResult(from, key === 'copy' ? from.device.copy(url) : from.device.open(url));
      }
    },
  });
}
