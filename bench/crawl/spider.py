"""The same crawl with Scrapy: `python spider.py ADDRESS CONCURRENCY FILE` prints its time and memory."""

import json
import sys
import time

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor


class Spider(scrapy.Spider):
    name = "site"
    links = LinkExtractor()
    # Scrapy drops repeated requests itself, but only after it has built them. Not building them is several times faster.
    seen = set()

    async def start(self):
        self.seen.add(self.address)
        yield scrapy.Request(self.address)

    def parse(self, response):
        links = sorted({link.url for link in self.links.extract_links(response)})
        yield {
            "url": response.url,
            "status": response.status,
            "title": response.xpath("//title/text()").get(),
            "description": response.xpath("//meta[@name='description']/@content").get(),
            "links": links,
            "headings": [
                " ".join(heading.xpath(".//text()").getall())
                for heading in response.xpath("//h1|//h2|//h3|//h4|//h5|//h6")
            ],
        }
        for link in links:
            if link not in self.seen:
                self.seen.add(link)
                yield scrapy.Request(link)


def peak_memory_kb():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))


def main():
    address, concurrency, file = sys.argv[1:]
    process = CrawlerProcess(
        {
            "CONCURRENT_REQUESTS": int(concurrency),
            "CONCURRENT_REQUESTS_PER_DOMAIN": int(concurrency),
            "DOWNLOAD_DELAY": 0,
            "ROBOTSTXT_OBEY": True,
            "USER_AGENT": "svc-mcp",
            # The audit does not do these either. They would only slow Scrapy down.
            "COOKIES_ENABLED": False,
            "RETRY_ENABLED": False,
            "TELNETCONSOLE_ENABLED": False,
            "LOG_LEVEL": "ERROR",
            "FEEDS": {file: {"format": "jsonlines", "overwrite": True}},
        }
    )
    crawler = process.create_crawler(Spider)
    began = time.perf_counter()
    process.crawl(crawler, address=address)
    process.start()
    seconds = time.perf_counter() - began
    print(
        json.dumps(
            {
                "pages": crawler.stats.get_value("item_scraped_count"),
                "forbidden": crawler.stats.get_value("robotstxt/forbidden"),
                "seconds": seconds,
                "peak_memory_kb": peak_memory_kb(),
            }
        )
    )


if __name__ == "__main__":
    main()
