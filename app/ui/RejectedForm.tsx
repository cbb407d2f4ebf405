interface RejectedFormProps {
  message: string;
  /** Path of the page that the form was sent to. */
  back: string;
}

/** Whole document for a form that was rejected unread: no shop around it, so that it costs next to nothing. */
export function RejectedForm({ message, back }: RejectedFormProps) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>Form not accepted</title>
      </head>
      <body>
        <main>
          <h1>Form not accepted</h1>
          <p>{message} Nothing was saved.</p>
          <a href={back}>Back to the page</a>
        </main>
      </body>
    </html>
  );
}
