# Texts of the screens without a brand: signing in, and an unknown brand.

page-title-settings = { $title } · Settings
page-sign-in = Sign in
page-sign-in-none = Sign in to manage MCP keys
    .about = This page opens by a personal link. You stay signed in for at most 12 hours, until you sign out.
page-sign-in-out = You are signed out
    .about = Your keys are kept and go on working.
page-sign-in-ended = Your sign-in has ended
    .why = For your safety a sign-in lasts only for a limited time.
    .next = Nothing is lost: your keys are kept and go on working. Open a fresh link to come back.
page-sign-in-link = This link does not work any more
    .why = A sign-in link works once, and only for a short time.
    .next = Open a fresh link to sign in. Your keys are kept and go on working.
page-sign-in-denied = You were not signed in
    .why = The sign-in was cancelled or refused.
    .next = Try again, or ask the people who manage your account.
page-sign-in-expired = This sign-in does not work any more
    .why = It took longer than 10 minutes, or was begun in another browser or tab.
    .next = Sign in again here, and finish it in this browser.
page-sign-in-failed = You were not signed in
    .why = The answer of the sign-in page could not be verified.
    .next = Try again. If it happens again, tell the people who run this service.
page-sign-in-unavailable = The sign-in is not available
    .why = The page where you sign in does not answer.
    .next = Try again in a few minutes.
page-with-account = You sign in with your account. You stay signed in for at most 12 hours, until you sign out.
page-come-back = Nothing is lost: your keys are kept and go on working. Sign in to come back.
page-continue-application = Sign in with your application
page-other-ways = Other ways to sign in
page-continue = Continue to sign in
page-how-to-get-in = How to get in
page-from-application = { $where } open its settings and choose MCP. It brings you here signed in.
    .where = From your application:
page-on-own-machine = { $where } open the link that the service printed when it started. For another one, run { $command } and paste what it prints below.
    .where = On your own machine:
page-paste-link = Or paste the link here
page-link-field = Sign-in link
page-not-a-link = This is not a sign-in link. Copy the whole link, from “http” to its very end, and paste it again.
page-insecure = This page needs a secure connection
page-insecure-why = Open it with an address that begins with https. Without it, no sign-in is safe, because others in the network could read it.
page-no-brand = You are not a member of a brand yet
page-no-brand-next = Keys belong to a brand. Ask an administrator of your brand to add you, and give them your user id:
page-look-again = Look again
page-unknown-brand = You do not act for this brand
page-unknown-brand-why = The address of this page names the brand { $brand }, and { $user } is not a member of it. It may not exist.
page-unknown-brand-next = Ask an administrator of the brand to add you, or open one of your brands:

## Inside a frame of the application

embed-title-none = Waiting for your application
embed-title-out = You are signed out
embed-title-ended = Your sign-in has ended
embed-title-link = Your application could not sign you in
embed-explanation = This page is part of your application, which signs you in. Nothing is lost: your keys are kept and go on working.
embed-ask = Sign in again

## A link of another person

page-other-person = Continue as another person?
page-link-of = The link that was opened belongs to { $linked }.
page-link-of-other = The link that was opened belongs to { $linked }. You are signed in as { $current }.
page-link-warning = Stay if you did not open this link yourself. If you continue, everything you do here happens in that person’s account.
page-continue-as = Continue as { $user }
page-stay-as = Stay as { $user }
page-stay = Stay signed in
