import { Icon } from "~/ui/Icon";
import coasters from "./pictures/coasters-224.webp?url";

/** Section that explains buying with an example conversation. */
export function ConversationExample({ shopName }: { shopName: string }) {
  return (
    <section className="section chat-example">
      <div className="wrap">
        <div className="chat-example-text">
          <h2>Buying here is a conversation</h2>
          <p>
            Put things in the cart, or just start talking. We check the shelf, settle the details, and set it
            aside under your name.
          </p>
          <a className="btn btn-talk" href="/chat">
            <Icon name="message-circle" /> Ask us
          </a>
        </div>
        <Thread shopName={shopName} />
      </div>
    </section>
  );
}

function Thread({ shopName }: { shopName: string }) {
  return (
    <ol className="chat-example-messages" aria-label="An example conversation">
      <li className="me">
        <span className="chat-example-author">Ines</span>
        <p className="bubble bubble-mine">
          Is the slate dark enough to show fine lines? It’s a botanical drawing.
        </p>
      </li>
      <li>
        <span className="chat-example-author">{shopName}</span>
        <p className="bubble">It is. The laser leaves pale grey on charcoal. This was cut yesterday:</p>
      </li>
      <li>
        <Preview />
      </li>
      <li className="me">
        <span className="chat-example-author">Ines</span>
        <p className="bubble bubble-mine">Lovely. Two sets, please. Friday?</p>
      </li>
      <li>
        <span className="chat-example-author">{shopName}</span>
        <p className="bubble">Friday from ten. I’ve put your name on them.</p>
      </li>
    </ol>
  );
}

function Preview() {
  return (
    <div className="chat-example-product">
      <div className="picture">
        <img
          src={coasters}
          alt="A slate coaster engraved with a leaf"
          width={224}
          height={280}
          loading="lazy"
        />
      </div>
      <p>
        <b>Slate coasters, set of four</b>Line 0.2 mm, not filled. Safe in the sink.
      </p>
    </div>
  );
}
