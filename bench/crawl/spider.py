"""The same crawl with Scrapy: `python spider.py ADDRESS CONCURRENCY FILE` prints what it took."""

import json
import sys
import time

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor


class Spider(scrapy.Spider):
    name = "site"
    links = LinkExtractor()

    async def start(self):
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
            # What ours does not do either, or does not need: all of it would only slow Scrapy down.
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
