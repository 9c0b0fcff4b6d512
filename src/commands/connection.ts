import {changeProblem} from '#ui/actions/server-request.ts';
import {acceptBannerOffer, retryConnection, retryProblem} from '#ui/banner/accept-banner-offer.ts';
import {openAboutCard} from '#ui/connection/about-card.ts';
import {copyDiagnostics, openConnectionCard, registerAgain, sendOutboxNow} from '#ui/connection/connection-card.ts';
import {type Command, command} from './command.ts';

export const connectionCommands: readonly Command[] = [
  command('banner.accept', 'Accept banner: reconnect, log in, subscribe', acceptBannerOffer, {
    contexts: ['banner'],
    isKeyOnly: true,
    hint: 'accept',
    hints: {banner: 1},
    worksBeforeFirstPaint: true,
  }),
  command('connection.retry', 'Reconnect now', retryConnection, {
    aliases: ['retry', 'connect', 'online'],
    worksBeforeFirstPaint: true,
    disabledReason: retryProblem,
  }),
  command('server.about', 'About this server', openAboutCard, {
    aliases: [
      'about',
      'server version',
      'feature level',
      'organization info',
      'limits',
      'login methods',
      'parley version',
    ],
  }),
  command('connection.show', 'Connection', openConnectionCard, {
    aliases: ['connection status', 'latency', 'network', 'rate limit', 'event queue', 'diagnostics', 'pending changes'],
  }),
  command('connection.register', 'Reload the account from the server', registerAgain, {
    aliases: ['register again', 're-register', 'new event queue', 'reload', 'refresh', 'sync'],
  }),
  command('outbox.send', 'Send the outbox now', sendOutboxNow, {
    aliases: ['send all', 'flush outbox', 'resend', 'send pending'],
    disabledReason: changeProblem,
  }),
  command('connection.copy', 'Copy connection diagnostics', copyDiagnostics, {
    aliases: ['diagnostics', 'bug report', 'debug info'],
  }),
];
