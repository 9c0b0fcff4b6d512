import {toggleSubscribed} from '#app/channels/channel-actions.ts';
import type {App} from '#app/core/app.ts';
import {type BannerOffer, bannerOfferAt, connectionOffer} from '#ui/banner/banner-lines.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {viewChannelId} from '#ui/core/frame.ts';
import {screenLayout} from '#ui/screen-layout.ts';

/** Enter on a banner: runs what it offers. Without an offer, focuses the messages. */
export function acceptBannerOffer(app: App): void {
  const {frame} = app;
  const line = frame.screen.focus === 'connection' ? 'connection' : 'banner';
  const offer = bannerOfferAt(frame, screenLayout(frame), line);
  if (offer === undefined) app.set({focus: 'main'});
  else accept(app, offer);
}

function accept(app: App, offer: BannerOffer): void {
  switch (offer) {
    case 'retry':
      retryConnection(app);
      return;
    case 'logIn':
      app.set({focus: 'main'});
      app.logIn();
      return;
    case 'subscribe': {
      const channelId = viewChannelId(app.screen.view);
      app.set({focus: 'main'});
      if (channelId !== undefined) toggleSubscribed(app, [channelId]);
    }
  }
}

/** Returns why retrying is not possible or not useful now. */
export function retryProblem({frame}: Pick<AppReader, 'frame'>): string | undefined {
  const {connection} = frame.account;
  if (connectionOffer(frame) !== undefined) return undefined;
  if (connection.phase !== 'offline') return 'Connected.';
  return 'The server asked to wait. Parley retries by itself.';
}

/** Retries at once; the connection status shows the result. */
export function retryConnection(app: App): void {
  app.session.wake('manual');
}
